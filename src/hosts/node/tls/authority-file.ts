/** Where a data folder keeps what its authority is. */
import { join } from 'node:path'

/** The folder of certificates and keys. */
export function authorityFolder(data: string): string {
  return join(data, 'tls')
}

/** Where the certificate of a data folder's authority is, once it was made. */
export function authorityFile(data: string): string {
  return join(authorityFolder(data), 'ca.pem')
}
