/** Receivers of callbacks that have something wrong with them: real sockets, each gone with its test. */
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net'
import tls from 'node:tls'
import { generate } from 'selfsigned'
import { onTestFinished } from 'vitest'

/** Listens at a free port of the loopback, and gives the port. */
async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((closed) => server.close(closed))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return (server.address() as AddressInfo).port
}

/** An HTTP endpoint; gives its address. */
export async function http(answer: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listen(createServer(answer))}/callback`
}

/** Whatever happens on a bare connection; gives the address to post to. */
export async function bare(taken: (socket: Socket) => void): Promise<string> {
  return `http://127.0.0.1:${await listen(createSocketServer(taken))}/callback`
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
  return `https://localhost:${await listen(server)}/callback`
}

/** A port at which nothing listens any more. */
export async function nothing(): Promise<string> {
  const server = createSocketServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return `http://127.0.0.1:${port}/callback`
}
