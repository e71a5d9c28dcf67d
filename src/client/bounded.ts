/** Reads what others send up to a bound, because it may never end. */

/** More than mfano, an app or the service answers. */
export const ANSWER_MAX_BYTES = 64 * 1024 ** 2

export class TooLong extends Error {
  constructor(maxBytes: number) {
    super(`expected at most ${maxBytes} bytes, got more`)
  }
}

/** Cancels what is longer, which closes its connection. By a reader, because not every browser iterates over a stream. */
export async function boundedBytes(
  source: ReadableStream<Uint8Array> | null,
  maxBytes = ANSWER_MAX_BYTES,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  const reader = source?.getReader()
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    size += part.value.length
    if (size > maxBytes) {
      await reader?.cancel()
      throw new TooLong(maxBytes)
    }
    chunks.push(part.value)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}

export async function boundedText(source: ReadableStream<Uint8Array> | null, maxBytes = ANSWER_MAX_BYTES) {
  return new TextDecoder().decode(await boundedBytes(source, maxBytes))
}
