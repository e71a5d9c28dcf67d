/** Frees the memory of byte arrays at once. */

/** Smaller ones are not worth it, and may share a pooled buffer of Node's that is still used. */
const LEAST_BYTES = 128 * 1024

/**
 * `bytes` must not be used afterwards. V8 counts this memory to the heap, and would run a full collection after some
 * fifteen world images.
 */
export function releaseBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= LEAST_BYTES) buffer.transfer(0)
}
