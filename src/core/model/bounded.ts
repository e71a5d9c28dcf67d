/** Reads what others send up to a bound, because it may never end. */

/** More than mfano, an app or the service answers. */
export const ANSWER_MAX_BYTES = 64 * 1024 ** 2

export class TooLong extends Error {
  constructor(maxBytes: number) {
    super(`expected at most ${maxBytes} bytes, got more`)
  }
}

/** Leaves the rest unread, which closes its connection. */
export async function boundedBytes(
  source: AsyncIterable<Uint8Array> | null,
  maxBytes = ANSWER_MAX_BYTES,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of source ?? []) {
    size += chunk.length
    if (size > maxBytes) throw new TooLong(maxBytes)
    chunks.push(chunk)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

export async function boundedText(source: AsyncIterable<Uint8Array> | null, maxBytes = ANSWER_MAX_BYTES) {
  return new TextDecoder().decode(await boundedBytes(source, maxBytes))
}
