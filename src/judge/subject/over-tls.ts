/** How an app or a suite that is judged over HTTPS trusts its mfano, and gets a certificate for its own receiver. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates } from 'node:tls'
import type { Authority } from '../../hosts/node/authority.ts'

/** Its variables, while `work` goes on; none where mfano speaks no TLS. */
export async function withTrust<Result>(
  authority: Authority | undefined,
  work: (env: Readonly<Record<string, string>>) => Promise<Result>,
): Promise<Result> {
  if (!authority) return work({})
  const folder = mkdtempSync(join(tmpdir(), 'mfano-tls-'))
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    return join(folder, name)
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
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The address of the same world over HTTPS, which stands at the same port. */
export function overTls(baseUrl: string): string {
  return baseUrl.replace(/^http:/, 'https:')
}
