/** Receivers of callbacks that have something wrong with them: real sockets, each gone with its test. */
import type { RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer, type Socket } from 'node:net'
import tls from 'node:tls'
import { generate } from 'selfsigned'
import { onTestFinished } from 'vitest'
import { freePort } from '../../../src/judge/app/free-port.ts'
import { listening, serving } from '../../support/listening.ts'

/** An HTTP endpoint; gives its address. */
export async function http(answer: RequestListener): Promise<string> {
  return `${await serving(answer)}/callback`
}

/** Whatever happens on a bare connection; gives the address to post to. */
export async function bare(taken: (socket: Socket) => void): Promise<string> {
  return `http://127.0.0.1:${await listening(createServer(taken))}/callback`
}

/** What a test's certificate is like. */
interface Certificate {
  name?: string
  from?: string
  to?: string
  /** This process takes it for good, until the test ends. */
  trusted?: true
}

/** Skips a test, and says why, where Node cannot be told while it runs whom to trust, as 24.4 cannot. */
export function needsTrust({ skip }: { skip(why: string): void }): void {
  if (!('setDefaultCACertificates' in tls)) skip(`Node ${process.versions.node} takes no authorities of certificates`)
}

/** An HTTPS endpoint with a certificate that nobody vouches for; gives its address. */
export async function https(certificate: Certificate = {}): Promise<string> {
  const { name = 'localhost', from = '2020-01-01', to = '2120-01-01', trusted } = certificate
  const made = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    notBeforeDate: new Date(from),
    notAfterDate: new Date(to),
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }],
  })
  if (trusted) {
    const usual = tls.getCACertificates('default')
    tls.setDefaultCACertificates([...usual, made.cert])
    onTestFinished(() => tls.setDefaultCACertificates(usual))
  }
  const server = createTlsServer({ key: made.private, cert: made.cert }, (_, response) => response.end())
  return `https://localhost:${await listening(server)}/callback`
}

/** A port at which nothing listens. */
export const nothing = async () => `http://127.0.0.1:${await freePort()}/callback`
