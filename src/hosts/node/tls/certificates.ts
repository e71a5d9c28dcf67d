/** Makes X.509 certificates: one of an authority, and those that it issues. Loaded when one has to be made. */
import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_authorityKeyIdentifier,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  id_ce_subjectKeyIdentifier,
  id_kp_serverAuth,
  KeyIdentifier,
  KeyUsage,
  KeyUsageFlags,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectKeyIdentifier,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509'
import { must } from '../../../core/model/must.ts'

const DAY_MS = 86_400_000
/** Apple's systems take no certificate of a server that is valid for more than 398 days. */
const ISSUED_DAYS = 397
const AUTHORITY_DAYS = 3650
/** RFC 5280's ids of the parts of a name. */
const COMMON_NAME = '2.5.4.3'
const ORGANIZATION = '2.5.4.10'
const ECDSA_WITH_SHA256 = '1.2.840.10045.4.3.2'

/** A private key and its certificate, as PEM. */
export interface KeyPair {
  key: string
  certificate: string
}

/** What is written into a certificate besides keys and times. */
interface Contents {
  subject: Name
  days: number
  extensions: Extension[]
}

/** An authority that can issue certificates of servers, and no further authority. */
export function makeAuthority(name: string, nowMs: number): KeyPair {
  const subject = nameOf(name)
  return signed(undefined, nowMs, {
    subject,
    days: AUTHORITY_DAYS,
    extensions: [
      extension(id_ce_basicConstraints, true, new BasicConstraints({ cA: true, pathLenConstraint: 0 })),
      extension(id_ce_keyUsage, true, new KeyUsage(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign)),
    ],
  })
}

/** The certificate of a server, and its key. `names`: host names and IP addresses, at least one. */
export function issueCertificate(authority: KeyPair, names: readonly string[], nowMs: number): KeyPair {
  const alternatives = names.map((name) => new GeneralName(isIP(name) ? { iPAddress: name } : { dNSName: name }))
  return signed(authority, nowMs, {
    subject: nameOf(must(names[0])),
    days: ISSUED_DAYS,
    extensions: [
      extension(id_ce_basicConstraints, true, new BasicConstraints({})),
      extension(id_ce_keyUsage, true, new KeyUsage(KeyUsageFlags.digitalSignature)),
      extension(id_ce_extKeyUsage, false, new ExtendedKeyUsage([id_kp_serverAuth])),
      extension(id_ce_subjectAltName, false, new SubjectAlternativeName(alternatives)),
    ],
  })
}

/** Signed by an authority, or by itself. */
function signed(authority: KeyPair | undefined, nowMs: number, { subject, days, extensions }: Contents): KeyPair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const own = AsnConvert.parse(publicKey.export({ type: 'spki', format: 'der' }), SubjectPublicKeyInfo)
  const issuer = authority && AsnConvert.parse(derOf(authority.certificate), Certificate).tbsCertificate
  const algorithm = new AlgorithmIdentifier({ algorithm: ECDSA_WITH_SHA256 })
  const issuerKey = new KeyIdentifier(keyIdOf(issuer?.subjectPublicKeyInfo ?? own))
  const tbs = new TBSCertificate({
    version: Version.v3,
    serialNumber: serialNumber(),
    signature: algorithm,
    issuer: issuer?.subject ?? subject,
    subject,
    // A day back, for clients whose clocks are behind.
    validity: new Validity({ notBefore: new Date(nowMs - DAY_MS), notAfter: new Date(nowMs + days * DAY_MS) }),
    subjectPublicKeyInfo: own,
    extensions: new Extensions([
      extension(id_ce_subjectKeyIdentifier, false, new SubjectKeyIdentifier(keyIdOf(own))),
      extension(id_ce_authorityKeyIdentifier, false, new AuthorityKeyIdentifier({ keyIdentifier: issuerKey })),
      ...extensions,
    ]),
  })
  const signingKey = authority ? createPrivateKey(authority.key) : privateKey
  const certificate = new Certificate({
    tbsCertificate: tbs,
    signatureAlgorithm: algorithm,
    signatureValue: bytesOf(sign('sha256', Buffer.from(AsnConvert.serialize(tbs)), signingKey)),
  })
  return {
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    certificate: pemOf(AsnConvert.serialize(certificate)),
  }
}

function nameOf(commonName: string): Name {
  const part = (type: string, text: string) =>
    new RelativeDistinguishedName([
      new AttributeTypeAndValue({ type, value: new AttributeValue({ utf8String: text }) }),
    ])
  return new Name([part(ORGANIZATION, 'mfano'), part(COMMON_NAME, commonName)])
}

function extension(extnID: string, critical: boolean, value: object): Extension {
  return new Extension({ extnID, critical, extnValue: new OctetString(AsnConvert.serialize(value)) })
}

/** RFC 5280, 4.2.1.2: the SHA-1 of the key's bits. */
function keyIdOf({ subjectPublicKey }: SubjectPublicKeyInfo): ArrayBuffer {
  return bytesOf(createHash('sha1').update(Buffer.from(subjectPublicKey)).digest())
}

/** A positive number of 16 bytes. */
function serialNumber(): ArrayBuffer {
  const bytes = randomBytes(16)
  bytes[0] = (bytes.readUInt8() & 0x3f) | 0x40
  return bytesOf(bytes)
}

function bytesOf(buffer: Buffer): ArrayBuffer {
  return Uint8Array.from(buffer).buffer
}

function derOf(pem: string): Buffer {
  return Buffer.from(pem.replace(/-----[A-Z ]+-----|\s/g, ''), 'base64')
}

function pemOf(der: ArrayBuffer): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
