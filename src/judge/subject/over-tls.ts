/** Lets a judged app or suite trust mfano's HTTPS, and gives its receiver a certificate. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'
import type { Authority } from '../../hosts/node/authority.ts'
import { ownFolder } from '../app/own-folder.ts'

/** The variables are valid while `work` runs. Empty if mfano serves no TLS. */
export async function withTrust<Result>(
  authority: Authority | undefined,
  work: (env: Readonly<Record<string, string>>) => Promise<Result>,
): Promise<Result> {
  if (!authority) return work({})
  const folder = ownFolder('tls')
  const file = (name: string, text: string) => {
    writeFileSync(join(folder.path, name), text, { mode: 0o600 })
    return join(folder.path, name)
  }
  try {
    const { key, certificate } = await authority.issue(['localhost', '127.0.0.1', '::1'])
    const own = file('ca.pem', authority.certificate)
    // For those whose variable takes the place of what they trust.
    const all = file('ca-bundle.pem', [...getCACertificates('default'), authority.certificate].join('\n'))
    return await work({
      NODE_EXTRA_CA_CERTS: own,
      SSL_CERT_FILE: all,
      REQUESTS_CA_BUNDLE: all,
      CURL_CA_BUNDLE: all,
      PAYMENTS_CA: own,
      CALLBACK_CERT: file('receiver.pem', certificate),
      CALLBACK_KEY: file('receiver-key.pem', key),
    })
  } finally {
    folder.remove()
  }
}

/** HTTPS uses the same port as HTTP. */
export function overTls(baseUrl: string): string {
  return baseUrl.replace(/^http:/, 'https:')
}
