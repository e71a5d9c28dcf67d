/** Frees the memory of byte arrays at once. */

/** Smaller ones are not worth it, and may share a pooled buffer of Node's that is still used. */
const LEAST_BYTES = 128 * 1024
/** Freed in one step, which takes the system a millisecond. */
const PIECE_BYTES = 4 * 1024 ** 2

/** Can be freed in steps. Some functions of the platform refuse such bytes, among them those for digests. */
export function releasableBytes(length: number): Uint8Array {
  return new Uint8Array(new ArrayBuffer(length, { maxByteLength: length }))
}

/**
 * `bytes` must not be used afterwards. V8 counts this memory to the heap, and would run a full collection after some
 * fifteen world images.
 */
export function releaseBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= LEAST_BYTES) buffer.transfer(0)
}

/** `releaseBytes` in steps, for bytes from `releasableBytes`; others are freed in one. */
export function* releasing(bytes: Uint8Array): Generator<void, void> {
  const { buffer } = bytes
  while (buffer instanceof ArrayBuffer && buffer.resizable && buffer.byteLength > PIECE_BYTES) {
    buffer.resize(buffer.byteLength - PIECE_BYTES)
    yield
  }
  releaseBytes(bytes)
}
