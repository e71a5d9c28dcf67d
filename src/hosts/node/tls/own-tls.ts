import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { SecureContext } from 'node:tls'
import { once } from '../../../core/model/must.ts'
import { type Authority, openAuthority, serverNames } from '../authority.ts'
import { whyUnreadable } from '../file-access.ts'
import type { Log } from '../log.ts'
import { authorityFile, type Settings } from '../settings.ts'

export interface OwnTls {
  authority: Authority
  speak(server: Server): () => void
}

export async function ownTls(settings: Settings, log: Log): Promise<OwnTls> {
  const { asked, found } = serverNames(settings)
  const authority = await openAuthority(settings.data, { names: [...asked, ...found] })
  const renew = () => authority.issue(asked, found)
  const first = await renew()
  const { speakBothProtocols } = await import('./both-protocols.ts')
  const where = authority.file ?? 'GET /_mfano/ca.pem'
  let told = false
  const distrusted = () => {
    if (!told) log.warn(`a client does not trust the certificate of this mfano: have it trust ${where} (docs: HTTPS)`)
    told = true
  }
  return {
    authority,
    speak: (server) => speakBothProtocols(server, first, { renew, distrusted }),
  }
}

/**
 * Authorities whose certificates receivers of callbacks may have: these and those that Node trusts, by `NODE_EXTRA_CA_CERTS` too.
 * Undefined where they are Node's alone.
 */
export function callbackTrust(
  { data, callbackCa }: Settings,
  own: OwnTls | undefined,
): (() => Promise<SecureContext>) | undefined {
  const file = authorityFile(data)
  const certificates: string[] = []
  if (own) certificates.push(own.authority.certificate)
  else if (data !== ':memory:' && existsSync(file)) certificates.push(readFileSync(file, 'utf8'))
  if (callbackCa !== undefined) certificates.push(readCertificates(callbackCa))
  if (certificates.length === 0) return undefined
  return once(async () => {
    const { createSecureContext, getCACertificates } = await import('node:tls')
    return createSecureContext({ ca: [...getCACertificates('default'), ...certificates] })
  })
}

function readCertificates(file: string): string {
  const hint = 'Name a file with the certificate of an authority as PEM: --callback-ca ./ca.pem (MFANO_CALLBACK_CA).'
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw Object.assign(new Error(`--callback-ca: ${file} cannot be read: ${whyUnreadable(error)}.`), { hint })
  }
  try {
    new X509Certificate(text)
  } catch {
    throw Object.assign(new Error(`--callback-ca: ${file} holds no certificate that could be read.`), { hint })
  }
  return text
}
