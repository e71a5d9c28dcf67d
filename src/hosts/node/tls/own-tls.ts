import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { createSecureContext, createServer, getCACertificates, type SecureContext } from 'node:tls'
import { must, once } from '../../../core/model/must.ts'
import type { Authority, KeyPair } from '../authority.ts'
import { whyUnreadable } from '../file-access.ts'
import { rawSocketOf } from '../http/connection.ts'
import type { Log } from '../log.ts'
import { authorityFile, type Settings } from '../settings.ts'
import { afterRealMs, everyRealMs } from '../wall.ts'

export interface OwnTls {
  authority: Authority
  speak(server: Server): () => void
}

export async function ownTls(settings: Settings, log: Log): Promise<OwnTls> {
  // Late, because it loads what makes certificates, which a start without them does not need.
  const { openAuthority, serverNames } = await import('../authority.ts')
  const { asked, found } = serverNames(settings)
  const authority = await openAuthority(settings.data, { names: [...asked, ...found] })
  const renew = () => authority.issue(asked, found)
  const first = await renew()
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
  return once(async () => createSecureContext({ ca: [...getCACertificates('default'), ...certificates] }))
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

/** Every TLS connection begins with a handshake record, and no HTTP request does. */
const HANDSHAKE_RECORD = 0x16
/** Real milliseconds that a connection may say nothing, or take for its handshake. */
const BEGUN_WITHIN_MS = 20_000
/** Real milliseconds. A certificate is valid for a year, so that a client never meets one that has expired. */
const RENEWED_EVERY_MS = 7 * 86_400_000
const DISTRUST = /ALERT_(?:UNKNOWN_CA|CERTIFICATE_UNKNOWN|BAD_CERTIFICATE)/

/** Has a server of HTTP speak TLS too. Gives a function that ends the connections that have not begun. */
function speakBothProtocols(
  server: Server,
  first: KeyPair,
  { renew, distrusted }: { renew(): Promise<KeyPair>; distrusted(): void },
): () => void {
  const [plain] = server.listeners('connection') as [(this: Server, socket: Socket) => void]
  const unbegun = new Set<Socket>()
  const secure = createServer({
    ...contextOf(first),
    ALPNProtocols: ['http/1.1'],
    handshakeTimeout: BEGUN_WITHIN_MS,
  })
  secure.on('secureConnection', (socket) => {
    unbegun.delete(rawSocketOf(socket))
    plain.call(server, socket)
  })
  secure.on('tlsClientError', (error: NodeJS.ErrnoException, socket) => {
    if (DISTRUST.test(error.code ?? '')) distrusted()
    socket.destroy()
  })
  const stopRenewing = everyRealMs(RENEWED_EVERY_MS, () => {
    void renew().then((pair) => secure.setSecureContext(contextOf(pair)))
  })
  server.removeAllListeners('connection')
  server.on('connection', (socket) => {
    unbegun.add(socket)
    socket.once('close', () => unbegun.delete(socket))
    firstByteOf(socket, (byte) => {
      if (byte === HANDSHAKE_RECORD) secure.emit('connection', socket)
      else {
        unbegun.delete(socket)
        plain.call(server, socket)
      }
    })
  })
  return () => {
    stopRenewing()
    for (const socket of unbegun) socket.destroy()
  }
}

function contextOf({ key, certificate }: KeyPair): { key: string; cert: string } {
  return { key, cert: certificate }
}

/** Looks at the first byte, and leaves it where it is. A connection that sends none is ended. */
function firstByteOf(socket: Socket, decide: (byte: number) => void): void {
  const end = () => socket.destroy()
  const cancel = afterRealMs(BEGUN_WITHIN_MS, end)
  socket.on('error', end).once('end', end).once('close', cancel)
  const look = () => {
    const chunk: Buffer | null = socket.read()
    if (chunk === null) {
      socket.once('readable', look)
      return
    }
    cancel()
    socket.off('error', end).off('end', end).off('close', cancel)
    socket.unshift(chunk)
    decide(must(chunk[0]))
  }
  look()
}
