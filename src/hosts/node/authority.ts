/** The authority of a data folder, which vouches for the certificates of mfano and of receivers in tests. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { makeFolder, OWNER_ONLY } from './file-access.ts'
import { authorityFile, authorityFolder } from './tls/authority-file.ts'
import type { KeyPair } from './tls/certificates.ts'
import { wallNowMs } from './wall.ts'
import { writePrivately, writeWhole } from './write-whole.ts'

const DAY_MS = 86_400_000
/** A certificate is renewed so long before it expires, so that a client never meets one that has. */
const RENEWED_BEFORE_MS = 30 * DAY_MS

export interface Authority {
  /** Its own certificate, as PEM: who trusts this trusts all that it issues. */
  readonly certificate: string
  /** Where that is; undefined where nothing is kept. */
  readonly file: string | undefined
  /** A new certificate for a server of these host names and addresses. */
  issue(names: readonly string[]): Promise<KeyPair>
  /** The pair of the server that has the data folder: kept, and renewed when its names change or before it expires. */
  serverPair(names: readonly string[]): Promise<ServerPair>
}

export interface ServerPair extends KeyPair {
  renewAtMs: number
}

/** Opens the authority of a data folder, and makes it where there is none; `:memory:`: one that is kept nowhere. */
export async function openAuthority(data: string): Promise<Authority> {
  if (data === ':memory:') {
    const pair = await newAuthority()
    return authorityOf(pair, undefined)
  }
  const folder = authorityFolder(data)
  const [certificateFile, keyFile] = [authorityFile(data), join(folder, 'ca-key.pem')]
  if (existsSync(certificateFile)) {
    const pair = { certificate: readFileSync(certificateFile, 'utf8'), key: readKey(keyFile) }
    if (isUsable(pair)) return authorityOf(pair, folder)
  }
  makeFolder(folder, OWNER_ONLY.folder)
  const pair = await newAuthority()
  // The key first: a certificate without its key would be of no use.
  writePrivately(keyFile, Buffer.from(pair.key))
  writeWhole(certificateFile, Buffer.from(pair.certificate))
  return authorityOf(pair, folder)
}

async function newAuthority(): Promise<KeyPair> {
  const { makeAuthority } = await import('./tls/certificates.ts')
  return makeAuthority(`mfano on ${hostname()}`.slice(0, 64), wallNowMs())
}

/** Its own user's alone, whoever copied the folder. Empty where there is no such file. */
function readKey(file: string): string {
  if (!existsSync(file)) return ''
  chmodSync(file, 0o600)
  return readFileSync(file, 'utf8')
}

function isUsable(pair: KeyPair): boolean {
  const certificate = certificateOf(pair)
  return certificate !== undefined && Date.parse(certificate.validTo) > wallNowMs()
}

/** Undefined where it is none, or the key is that of another one. */
function certificateOf({ certificate, key }: KeyPair): X509Certificate | undefined {
  try {
    const read = new X509Certificate(certificate)
    return read.checkPrivateKey(createPrivateKey(key)) ? read : undefined
  } catch {
    return undefined
  }
}

function authorityOf(pair: KeyPair, folder: string | undefined): Authority {
  const own = new X509Certificate(pair.certificate)
  const issue = async (names: readonly string[]): Promise<KeyPair> => {
    const { issueCertificate } = await import('./tls/certificates.ts')
    return issueCertificate(pair, names, wallNowMs())
  }
  const stored = folder && { certificate: join(folder, 'server.pem'), key: join(folder, 'server-key.pem') }
  let kept: KeyPair | undefined
  return {
    certificate: pair.certificate,
    file: folder && join(folder, 'ca.pem'),
    issue,
    async serverPair(names) {
      if (stored && existsSync(stored.certificate))
        kept ??= { certificate: readFileSync(stored.certificate, 'utf8'), key: readKey(stored.key) }
      const keptCertificate = kept && certificateOf(kept)
      if (kept && keptCertificate?.checkIssued(own) && serves(keptCertificate, names))
        return { ...kept, renewAtMs: renewalOf(keptCertificate) }
      kept = await issue(names)
      if (stored) {
        writePrivately(stored.key, Buffer.from(kept.key))
        writeWhole(stored.certificate, Buffer.from(kept.certificate))
      }
      return { ...kept, renewAtMs: renewalOf(new X509Certificate(kept.certificate)) }
    },
  }
}

const renewalOf = ({ validTo }: X509Certificate) => Date.parse(validTo) - RENEWED_BEFORE_MS

/** Whether it is for all these names, and for some time yet. */
function serves(certificate: X509Certificate, names: readonly string[]): boolean {
  if (renewalOf(certificate) <= wallNowMs()) return false
  return names.every((name) => (isIP(name) ? certificate.checkIP(name) : certificate.checkHost(name)) !== undefined)
}
