/** Memory that is given back at once. */

/**
 * Gives the memory of bytes back, at which nobody may look any more. V8 counts it to the heap, and would collect all of
 * that after some fifteen images of worlds.
 */
export function releaseBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer) buffer.transfer(0)
}
