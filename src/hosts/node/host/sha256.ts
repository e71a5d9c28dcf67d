/** SHA-256 of many bytes, while other work runs. */
import { nextTurn } from '../wall.ts'

const PIECE_BYTES = 4 * 1024 ** 2

/** WebCrypto copies all bytes first, at once. */
export async function sha256InPieces(bytes: Uint8Array): Promise<string> {
  const hash = process.getBuiltinModule('node:crypto').createHash('sha256')
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    if (at > 0) await nextTurn()
    hash.update(bytes.subarray(at, at + PIECE_BYTES))
  }
  return hash.digest('hex')
}
