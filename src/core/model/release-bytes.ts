/** Memory that is given back at once. */

/** Fewer are not worth it, and may be part of what others use too: Node hands out small buffers of one. */
const LEAST_BYTES = 128 * 1024

/**
 * Gives the memory of bytes back, at which nobody may look any more. V8 counts it to the heap, and would collect all of
 * that after some fifteen images of worlds.
 */
export function releaseBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= LEAST_BYTES) buffer.transfer(0)
}
