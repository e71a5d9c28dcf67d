/** Whom mfano trusts when it sends callbacks, where that is more than Node itself does. */
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls'

/** For TLS to receivers: what Node trusts, by `NODE_EXTRA_CA_CERTS` too, and these certificates, as PEM. */
export function trusting(certificates: readonly string[]): SecureContext {
  return createSecureContext({ ca: [...getCACertificates('default'), ...certificates] })
}
