import type { TestWorld } from '../../support/harness.ts'

export interface Sent {
  headers?: Record<string, string>
  body?: Uint8Array
  /** Nobody asks. */
  anonymous?: boolean
}

/** A request byte by byte, without a header that nobody gave it. */
export async function sent(world: TestWorld, method: string, path: string, { headers, body, anonymous }: Sent = {}) {
  const answer = await fetch(world.baseUrl + path, {
    method,
    redirect: 'manual',
    headers: { ...(!anonymous && { authorization: `Bearer ${await world.token()}` }), ...headers },
    ...(body && { body: body as BodyInit }),
  })
  const text = await answer.text()
  const told = Object.fromEntries(
    ['allow', 'location']
      .filter((name) => answer.headers.has(name))
      .map((name) => [name, answer.headers.get(name)?.replace(world.baseUrl, '')]),
  )
  return { status: answer.status, code: text === '' ? null : (JSON.parse(text).error?.code ?? null), ...told }
}
