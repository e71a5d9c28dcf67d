/** Diagnoses TLS between mfano and a receiver. */
import type { Failure } from '../model/attempt.ts'
import type { Diagnosis } from '../model/diagnosis.ts'

const TRUST = 'let mfano trust it: start mfano with --callback-ca /path/to/ca.pem, or write http:// for tests'

export function diagnoseTls({ hostname, host }: URL, { code, message }: Failure): Diagnosis | undefined {
  switch (code) {
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
      return {
        code: 'tls-self-signed',
        what: `the certificate of ${host} is self-signed`,
        why: 'nobody that mfano trusts vouches for it',
        todo: `Use a certificate of a known authority, as on the Internet, or ${TRUST}.`,
      }
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
      return {
        code: 'tls-unknown-issuer',
        what: `the certificate of ${host} was issued by somebody unknown`,
        why: 'the server does not send the certificates between its own and a known authority, or the authority is a private one',
        todo: `Let the server send the whole chain (fullchain.pem). If the authority is your own, ${TRUST}.`,
      }
    case 'CERT_HAS_EXPIRED':
      return {
        code: 'tls-expired',
        what: `the certificate of ${host} has expired`,
        why: 'it was not renewed, or the server was not restarted with the new one',
        todo: 'Renew it. If it is good, check the clock of the machine that mfano runs on.',
      }
    case 'CERT_NOT_YET_VALID':
      return {
        code: 'tls-not-yet-valid',
        what: `the certificate of ${host} is not valid yet`,
        why: 'its time begins later, or a clock is wrong',
        todo: 'Check the clock of the machine that mfano runs on, then the certificate.',
      }
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME':
      return {
        code: 'tls-wrong-host',
        what: `the certificate at ${host} is for another host`,
        why: message.replace(/^.*altnames: /, ''),
        todo: `Write one of its names in callbackUrl, or get a certificate for ${hostname}.`,
      }
    case 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED':
    case 'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE':
      return {
        code: 'tls-client-certificate',
        what: `${host} wants a certificate of the caller`,
        why: 'it takes only clients that it knows (mutual TLS), and mfano has no certificate to show',
        todo: 'Take callbacks at an address that wants none.',
      }
    default:
      return isTls(code) ? ofProtocol(host, code, message) : undefined
  }
}

function isTls(code: string): boolean {
  return /^(?:ERR_SSL_|ERR_TLS_|CERT_|EPROTO$|UNABLE_TO_|INVALID_CA$|HOSTNAME_MISMATCH$)/.test(code)
}

function ofProtocol(host: string, code: string, message: string): Diagnosis {
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|wrong version number/.test(`${code} ${message}`)) {
    return {
      code: 'https-to-http',
      what: `${host} does not speak TLS`,
      why: 'callbackUrl says https, and plain HTTP is spoken at that port',
      todo: 'Write http:// in callbackUrl, or the port of the TLS endpoint.',
    }
  }
  if (/PROTOCOL_VERSION|UNSUPPORTED_PROTOCOL/.test(code)) {
    return {
      code: 'tls-version',
      what: `${host} and mfano have no version of TLS in common`,
      why: 'it speaks TLS 1.0 or 1.1 only, which are no longer safe',
      todo: 'Let it speak TLS 1.2 or 1.3.',
    }
  }
  return {
    code: 'tls',
    what: `no TLS connection to ${host} (${code})`,
    why: message.split(':').at(-1)?.trim() || message,
    todo: `See what it says: openssl s_client -connect ${host}`,
  }
}
