/** Bytes: sealed in files, released at once, as text, and their digests. */

// Files whose first line has their type, format and checksum.

const FIRST_LINE_MAX = 100

/** `mfano world 1 sha256:0f3c…` and a newline. Its length is fixed, so it can be written last. */
function firstLine(kind: string, format: number, sum: string): Uint8Array {
  return new TextEncoder().encode(`mfano ${kind} ${format} sha256:${sum}\n`)
}

export function sealLength(kind: string, format: number): number {
  return firstLine(kind, format, '0'.repeat(64)).length
}

export async function seal(kind: string, format: number, whole: Uint8Array): Promise<Uint8Array> {
  whole.set(firstLine(kind, format, await sha256(whole.subarray(sealLength(kind, format)))))
  return whole
}

export function readSeal(
  kind: string,
  file: Uint8Array,
): { format: number; sum: string; content: Uint8Array } | undefined {
  const start = new TextDecoder('latin1').decode(file.subarray(0, FIRST_LINE_MAX))
  const match = new RegExp(`^mfano ${kind} (\\d{1,9}) sha256:([0-9a-f]{64})\\n`).exec(start)
  if (!match) return undefined
  const [line, format, sum = ''] = match
  return { format: Number(format), sum, content: file.subarray(line.length) }
}

/** In hexadecimal. */
export async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** Smaller ones are not worth it, and may share a pooled buffer of Node's that is still used. */
const LEAST_BYTES = 128 * 1024

/**
 * Frees bytes at once; they must not be used afterwards. V8 counts this memory to the heap, and would run a full
 * collection after some fifteen world images.
 */
export function releaseBytes({ buffer }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength >= LEAST_BYTES) buffer.transfer(0)
}

// Bytes as text.

/** `String.fromCharCode` takes its bytes as arguments, and a call can have only so many. */
const PIECE = 8192

export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += PIECE) text += String.fromCharCode(...bytes.subarray(at, at + PIECE))
  return btoa(text)
}

export function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

/** Only for long random secrets; a password would need a slow hash. */
export function sha256Hex(text: string): Promise<string> {
  return sha256(new TextEncoder().encode(text))
}
