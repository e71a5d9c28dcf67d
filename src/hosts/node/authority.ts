/** The authority of a data folder, which vouches for the certificates of mfano and of receivers in tests. */
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { dirname, join } from 'node:path'
import { makeFolder, OWNER_ONLY, writeWhole } from './file-access.ts'
import { authorityFile, type Settings } from './settings.ts'
import { issueCertificate, type KeyPair, makeAuthority, namesOutside } from './tls/certificates.ts'
import { wallNowMs } from './wall.ts'

export interface Authority {
  /** Its own certificate, as PEM: who trusts this trusts all that it issues. */
  readonly certificate: string
  readonly file: string | undefined
  /** `found`: more names, which are left out where it may not vouch for them. */
  issue(names: readonly string[], found?: readonly string[]): Promise<KeyPair>
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
  if (data === ':memory:') return authorityOf(newAuthority(names), undefined)
  const file = authorityFile(data)
  const folder = dirname(file)
  const keyFile = join(folder, 'ca-key.pem')
  const kept = keptPair(file, keyFile)
  if (kept) return authorityOf(kept, file)
  const pair = newAuthority(names)
  requirePermitted(pair, needed)
  makeFolder(folder, OWNER_ONLY.folder)
  // The key first: a certificate without its key would be of no use.
  writeWhole(keyFile, Buffer.from(pair.key), OWNER_ONLY.file)
  writeWhole(file, Buffer.from(pair.certificate))
  return authorityOf(pair, file)
}

function newAuthority(names: readonly string[]): KeyPair {
  return makeAuthority(`mfano on ${hostname()}`.slice(0, 64), names, wallNowMs())
}

/** Undefined where one of the files is missing, they are no pair, or the certificate has expired. */
function keptPair(file: string, keyFile: string): KeyPair | undefined {
  if (!existsSync(file) || !existsSync(keyFile)) return undefined
  // Its own user's alone, whoever copied the folder.
  chmodSync(keyFile, OWNER_ONLY.file)
  const pair = { certificate: readFileSync(file, 'utf8'), key: readFileSync(keyFile, 'utf8') }
  try {
    const certificate = new X509Certificate(pair.certificate)
    const isPair = certificate.checkPrivateKey(createPrivateKey(pair.key))
    return isPair && Date.parse(certificate.validTo) > wallNowMs() ? pair : undefined
  } catch {
    return undefined
  }
}

function requirePermitted({ certificate }: KeyPair, names: readonly string[]): void {
  const outside = namesOutside(certificate, names)
  if (outside.length > 0) throw new NameNotPermitted(outside)
}

function authorityOf(pair: KeyPair, file: string | undefined): Authority {
  const { certificate } = pair
  return {
    certificate,
    file,
    async issue(names, found = []) {
      requirePermitted(pair, names)
      const left = namesOutside(certificate, found)
      return issueCertificate(pair, [...names, ...found.filter((name) => !left.includes(name))], wallNowMs())
    },
  }
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
