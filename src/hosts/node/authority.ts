/** The authority of a data folder, which vouches for the certificates of mfano and of receivers in tests. */

import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { dirname, join } from 'node:path'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import * as x509 from '@peculiar/asn1-x509'
import { must } from '../../core/model/must.ts'
import { makeFolder, OWNER_ONLY, writeWhole } from './file-access.ts'
import { authorityFile, type Settings } from './settings.ts'
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

// X.509 certificates: one of an authority, and those that it issues.

const DAY_MS = 86_400_000
/** Apple's systems take no certificate of a server that is valid for more than 398 days. */
const ISSUED_DAYS = 397
const AUTHORITY_DAYS = 730
/** No other organisation can have these, so that a stolen key of an authority impersonates nobody else. */
const OWN_NAMES = ['localhost', 'test', 'internal', 'local']
const OWN_NETWORKS = [
  ...['127.0.0.0/8', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16'],
  ...['::1/128', 'fc00::/7', 'fe80::/10'],
]
const OWN = [...OWN_NAMES, ...OWN_NETWORKS]
/** RFC 5280's ids of the parts of a name. */
const COMMON_NAME = '2.5.4.3'
const ORGANIZATION = '2.5.4.10'
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'

export interface KeyPair {
  key: string
  certificate: string
}

interface Contents {
  subject: x509.Name
  days: number
  extensions: x509.Extension[]
}

/** An authority for servers of one's own and of `names`, and for no further authority. */
export function makeAuthority(name: string, names: readonly string[], nowMs: number): KeyPair {
  const subject = nameOf(name)
  const bases = [
    ...OWN,
    ...outside(OWN, names).map((one) => (isIP(one) ? `${one}/${isIP(one) === 4 ? 32 : 128}` : one)),
  ]
  const permittedSubtrees = new x509.GeneralSubtrees(
    bases.map((base) => new x509.GeneralSubtree({ base: generalName(base) })),
  )
  return signed(undefined, nowMs, {
    subject,
    days: AUTHORITY_DAYS,
    extensions: [
      extension(x509.id_ce_basicConstraints, true, new x509.BasicConstraints({ cA: true, pathLenConstraint: 0 })),
      extension(
        x509.id_ce_keyUsage,
        true,
        new x509.KeyUsage(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign),
      ),
      extension(x509.id_ce_nameConstraints, true, new x509.NameConstraints({ permittedSubtrees })),
    ],
  })
}

/** Those of the names that an authority's certificate does not permit, so that no client would accept them. */
function namesOutside(authority: string, names: readonly string[]): string[] {
  const { extensions } = contentsOf(authority)
  const found = extensions?.find(({ extnID }) => extnID === x509.id_ce_nameConstraints)
  const subtrees = found && AsnConvert.parse(found.extnValue, x509.NameConstraints).permittedSubtrees
  return outside(
    Array.from(subtrees ?? [], ({ base }) => base.iPAddress ?? base.dNSName ?? ''),
    names,
  )
}

function outside(bases: readonly string[], names: readonly string[]): string[] {
  return names.filter((name) => !bases.some((base) => (isIP(name) ? isIn(base, name) : isBelow(base, name))))
}

function isBelow(domain: string, name: string): boolean {
  return `.${name.toLowerCase()}`.endsWith(`.${domain}`)
}

function isIn(network: string, address: string): boolean {
  const [from = '', bits] = network.split('/')
  if (bits === undefined || isIP(from) !== isIP(address)) return false
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
  const list = new BlockList()
  list.addSubnet(from, Number(bits), family)
  return list.check(address, family)
}

function generalName(name: string): x509.GeneralName {
  return new x509.GeneralName(isIP(name.replace(/\/.*/, '')) ? { iPAddress: name } : { dNSName: name })
}

/** The certificate of a server, and its key. `names`: host names and IP addresses, at least one. */
export function issueCertificate(authority: KeyPair, names: readonly string[], nowMs: number): KeyPair {
  const alternatives = names.map(generalName)
  const first = must(names[0])
  return signed(authority, nowMs, {
    // OpenSSL takes a bare address for a host name, which the authority does not permit.
    subject: nameOf(isIP(first) ? `server at ${first}` : first),
    days: ISSUED_DAYS,
    extensions: [
      extension(x509.id_ce_basicConstraints, true, new x509.BasicConstraints({})),
      extension(x509.id_ce_keyUsage, true, new x509.KeyUsage(x509.KeyUsageFlags.digitalSignature)),
      extension(x509.id_ce_extKeyUsage, false, new x509.ExtendedKeyUsage([x509.id_kp_serverAuth])),
      extension(x509.id_ce_subjectAltName, false, new x509.SubjectAlternativeName(alternatives)),
    ],
  })
}

function signed(authority: KeyPair | undefined, nowMs: number, { subject, days, extensions }: Contents): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const own = AsnConvert.parse(publicKey.export({ type: 'spki', format: 'der' }), x509.SubjectPublicKeyInfo)
  const issuer = authority && contentsOf(authority.certificate)
  const algorithm = new x509.AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 })
  const issuerKey = new x509.KeyIdentifier(keyIdOf(issuer?.subjectPublicKeyInfo ?? own))
  const tbs = new x509.TBSCertificate({
    version: x509.Version.v3,
    serialNumber: serialNumber(),
    signature: algorithm,
    issuer: issuer?.subject ?? subject,
    subject,
    // A day back, for clients whose clocks are behind.
    validity: new x509.Validity({ notBefore: new Date(nowMs - DAY_MS), notAfter: new Date(nowMs + days * DAY_MS) }),
    subjectPublicKeyInfo: own,
    extensions: new x509.Extensions([
      extension(x509.id_ce_subjectKeyIdentifier, false, new x509.SubjectKeyIdentifier(keyIdOf(own))),
      extension(
        x509.id_ce_authorityKeyIdentifier,
        false,
        new x509.AuthorityKeyIdentifier({ keyIdentifier: issuerKey }),
      ),
      ...extensions,
    ]),
  })
  const signingKey = authority ? createPrivateKey(authority.key) : privateKey
  const certificate = new x509.Certificate({
    tbsCertificate: tbs,
    signatureAlgorithm: algorithm,
    signatureValue: bytesOf(sign('sha256', Buffer.from(AsnConvert.serialize(tbs)), signingKey)),
  })
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    certificate: new X509Certificate(Buffer.from(AsnConvert.serialize(certificate))).toString(),
  }
}

function nameOf(commonName: string): x509.Name {
  const part = (type: string, text: string) =>
    new x509.RelativeDistinguishedName([
      new x509.AttributeTypeAndValue({ type, value: new x509.AttributeValue({ utf8String: text }) }),
    ])
  return new x509.Name([part(ORGANIZATION, 'mfano'), part(COMMON_NAME, commonName)])
}

function extension(extnID: string, critical: boolean, value: object): x509.Extension {
  return new x509.Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) })
}

/** RFC 5280, 4.2.1.2: the SHA-1 of the key's bits. */
function keyIdOf({ subjectPublicKey }: x509.SubjectPublicKeyInfo): ArrayBuffer {
  return bytesOf(createHash('sha1').update(Buffer.from(subjectPublicKey)).digest())
}

function serialNumber(): ArrayBuffer {
  const bytes = randomBytes(16)
  bytes[0] = (bytes.readUInt8() & 0x3f) | 0x40
  return bytesOf(bytes)
}

function bytesOf(buffer: Buffer): ArrayBuffer {
  return Uint8Array.from(buffer).buffer
}

function contentsOf(pem: string): x509.TBSCertificate {
  return AsnConvert.parse(new X509Certificate(pem).raw, x509.Certificate).tbsCertificate
}
