/** Password hashes, by scrypt. */

/** Cost, block size, parallelism: 16 MB and some tens of milliseconds, off the main thread. */
const [COST, BLOCK, PARALLEL] = [16_384, 8, 1]
const SALT_BYTES = 16
const HASH_BYTES = 32

/** Loaded by the first password, because it is a twenty-fifth of a start. */
const crypto = () => process.getBuiltinModule('node:crypto')

/** `scrypt$16384$8$1$<salt>$<hash>`, salt and hash in base64. */
export function hashPassword(password: string): Promise<string> {
  const salt = crypto().randomBytes(SALT_BYTES)
  return derived(password, salt, { N: COST, r: BLOCK, p: PARALLEL }).then((hash) =>
    ['scrypt', COST, BLOCK, PARALLEL, salt.toString('base64'), hash.toString('base64')].join('$'),
  )
}

export async function verifyPassword(password: string, hashed: string): Promise<boolean> {
  const [name, cost, block, parallel, salt = '', hash = ''] = hashed.split('$')
  if (name !== 'scrypt') return false
  const parameters = { N: Number(cost), r: Number(block), p: Number(parallel) }
  return crypto().timingSafeEqual(
    await derived(password, Buffer.from(salt, 'base64'), parameters),
    Buffer.from(hash, 'base64'),
  )
}

function derived(password: string, salt: Buffer, parameters: { N: number; r: number; p: number }): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    crypto().scrypt(password.normalize('NFC'), salt, HASH_BYTES, parameters, (error, hash) => {
      if (error) reject(error)
      else resolve(hash)
    })
  })
}
