import { Refusal } from '../model/refusal.ts'

/** Bytes a request body may have: 1 MB. Assumed. */
export const BODY_MAX = 1_000_000

/** Reads a body as text, and no further than it may be long. */
export async function readBody(request: Request): Promise<string> {
  const announced = Number(request.headers.get('content-length') ?? Number.NaN)
  if (announced > BODY_MAX) throw tooLarge(announced)
  if (!Number.isNaN(announced) || request.body === null) return request.text()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.length
    if (size > BODY_MAX) throw tooLarge(size)
    chunks.push(chunk)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return new TextDecoder().decode(whole)
}

function tooLarge(size: number): Refusal {
  return new Refusal('REQ_BAD_REQUEST', `body: must be at most ${BODY_MAX} bytes, got ${size} or more`, {
    status: 413,
    fields: [{ field: 'body', message: `body must be at most ${BODY_MAX} bytes` }],
  })
}
