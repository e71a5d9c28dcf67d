/** Files whose first line has their type, format and checksum. */

const FIRST_LINE_MAX = 100

/** `mfano world 1 sha256:0f3c…` and a newline. Its length is fixed, so it can be written last. */
function firstLine(kind: string, format: number, sum: string): Uint8Array {
  return new TextEncoder().encode(`mfano ${kind} ${format} sha256:${sum}\n`)
}

export function sealLength(kind: string, format: number): number {
  return firstLine(kind, format, '0'.repeat(64)).length
}

export async function seal(
  kind: string,
  format: number,
  whole: Uint8Array,
  digest: Digest = sha256,
): Promise<Uint8Array> {
  whole.set(firstLine(kind, format, await digest(whole.subarray(sealLength(kind, format)))))
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

/** SHA-256, in hexadecimal. */
export type Digest = (bytes: Uint8Array) => Promise<string>

export async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
