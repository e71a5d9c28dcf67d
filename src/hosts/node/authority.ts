/** The authority of a data folder, which vouches for the certificates of mfano and of receivers in tests. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { makeFolder, OWNER_ONLY } from './file-access.ts'
import { authorityFile, authorityFolder, type Settings } from './settings.ts'
import type { KeyPair } from './tls/certificates.ts'
import { wallNowMs } from './wall.ts'
import { writeWhole } from './write-whole.ts'

const DAY_MS = 86_400_000
/** A certificate is renewed so long before it expires, so that a client never meets one that has. */
const RENEWED_BEFORE_MS = 30 * DAY_MS

export interface Authority {
  /** Its own certificate, as PEM: who trusts this trusts all that it issues. */
  readonly certificate: string
  readonly file: string | undefined
  issue(names: readonly string[]): Promise<KeyPair>
  /**
   * The pair of the server that has the data folder: kept, and renewed when its names change or before it expires. Names
   * that were only found and may not be vouched for are left out.
   */
  serverPair(names: ServerNames): Promise<ServerPair>
}

export interface ServerPair extends KeyPair {
  renewAtMs: number
}

export class NameNotPermitted extends Error {
  readonly hint =
    'It may for localhost, names below .test, .internal and .local, private addresses, and the names of the mfano that made it. To add one, remove the folder tls from the data folder, run mfano start --tls --tls-names NAME, and have clients trust the new authority.'
  constructor(names: readonly string[]) {
    super(`mfano's certificate authority may not vouch for ${names.map((name) => JSON.stringify(name)).join(', ')}.`)
    this.name = 'NameNotPermitted'
  }
}

/**
 * Opens the authority of a data folder, and makes it where there is none; `:memory:`: one that is kept nowhere. `names`: what
 * one that is made may vouch for besides its own. Throws, before it writes, where it may not vouch for `needed`.
 */
export async function openAuthority(
  data: string,
  { names = [], needed = [] }: { names?: readonly string[]; needed?: readonly string[] } = {},
): Promise<Authority> {
  if (data === ':memory:') return authorityOf(await newAuthority(names), undefined)
  const folder = authorityFolder(data)
  const [certificateFile, keyFile] = [authorityFile(data), join(folder, 'ca-key.pem')]
  if (existsSync(certificateFile)) {
    const pair = { certificate: readFileSync(certificateFile, 'utf8'), key: readKey(keyFile) }
    if (isUsable(pair)) return authorityOf(pair, folder)
  }
  const pair = await newAuthority(names)
  await requirePermitted(pair, needed)
  makeFolder(folder, OWNER_ONLY.folder)
  // The key first: a certificate without its key would be of no use.
  writeWhole(keyFile, Buffer.from(pair.key), OWNER_ONLY.file)
  writeWhole(certificateFile, Buffer.from(pair.certificate))
  return authorityOf(pair, folder)
}

async function newAuthority(names: readonly string[]): Promise<KeyPair> {
  const { makeAuthority } = await import('./tls/certificates.ts')
  return makeAuthority(`mfano on ${hostname()}`.slice(0, 64), names, wallNowMs())
}

async function requirePermitted({ certificate }: KeyPair, names: readonly string[]): Promise<void> {
  const { namesOutside } = await import('./tls/certificates.ts')
  const outside = namesOutside(certificate, names)
  if (outside.length > 0) throw new NameNotPermitted(outside)
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
    await requirePermitted(pair, names)
    const { issueCertificate } = await import('./tls/certificates.ts')
    return issueCertificate(pair, names, wallNowMs())
  }
  const stored = folder && { certificate: join(folder, 'server.pem'), key: join(folder, 'server-key.pem') }
  let kept: KeyPair | undefined
  return {
    certificate: pair.certificate,
    file: folder && join(folder, 'ca.pem'),
    issue,
    async serverPair({ asked, found }) {
      if (stored && existsSync(stored.certificate))
        kept ??= { certificate: readFileSync(stored.certificate, 'utf8'), key: readKey(stored.key) }
      const keptPair = (names: readonly string[]): ServerPair | undefined => {
        const certificate = kept && certificateOf(kept)
        if (!kept || !certificate?.checkIssued(own) || !serves(certificate, names)) return undefined
        return { ...kept, renewAtMs: renewalOf(certificate) }
      }
      const whole = keptPair([...asked, ...found])
      if (whole) return whole
      const { namesOutside } = await import('./tls/certificates.ts')
      const left = namesOutside(pair.certificate, found)
      const names = [...asked, ...found.filter((name) => !left.includes(name))]
      const usable = keptPair(names)
      if (usable) return usable
      kept = await issue(names)
      if (stored) {
        writeWhole(stored.key, Buffer.from(kept.key), OWNER_ONLY.file)
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

const LOCAL = ['localhost', '127.0.0.1', '::1']

interface ServerNames {
  asked: readonly string[]
  /** The addresses of the machine, where mfano listens on all. They can change from start to start. */
  found: readonly string[]
}

export function serverNames({ host, baseUrl, tlsNames }: Settings): ServerNames {
  const named = baseUrl === undefined ? [] : [new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')]
  const isAny = host === '0.0.0.0' || host === '::'
  const once = (names: string[]) => [...new Set(names.map((name) => name.toLowerCase()))]
  return {
    asked: once([...LOCAL, ...(isAny ? [] : [host]), ...named, ...(tlsNames ?? [])]),
    found: isAny ? once(machineNames()) : [],
  }
}

function machineNames(): string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address))
  // The addresses of one link alone name it behind a %, which no certificate can.
  const usable = addresses.filter((address) => isIP(address) !== 0 && !address.includes('%'))
  return [...(/^[a-z\d.-]+$/i.test(hostname()) ? [hostname()] : []), ...usable]
}
