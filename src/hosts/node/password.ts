/** Password hashes, by scrypt. */
import { randomBytes, scrypt } from 'node:crypto'

/** Cost, block size, parallelism: 16 MB and some tens of milliseconds, off the main thread. */
const [COST, BLOCK, PARALLEL] = [16_384, 8, 1]
const SALT_BYTES = 16
const HASH_BYTES = 32

/** `scrypt$16384$8$1$<salt>$<hash>`, salt and hash in base64. */
export function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, HASH_BYTES, { N: COST, r: BLOCK, p: PARALLEL }, (error, hash) => {
      if (error) reject(error)
      else resolve(['scrypt', COST, BLOCK, PARALLEL, salt.toString('base64'), hash.toString('base64')].join('$'))
    })
  })
}
