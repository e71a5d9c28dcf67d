import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { createServer } from 'node:tls'
import { must } from '../../../core/model/must.ts'
import { rawSocketOf } from '../http/connection.ts'
import { afterRealMs, everyRealMs } from '../wall.ts'
import type { KeyPair } from './certificates.ts'

/** Every TLS connection begins with a handshake record, and no HTTP request does. */
const HANDSHAKE_RECORD = 0x16
/** Real milliseconds that a connection may say nothing, or take for its handshake. */
const BEGUN_WITHIN_MS = 20_000
/** Real milliseconds. A certificate is valid for a year, so that a client never meets one that has expired. */
const RENEWED_EVERY_MS = 7 * 86_400_000
const DISTRUST = /ALERT_(?:UNKNOWN_CA|CERTIFICATE_UNKNOWN|BAD_CERTIFICATE)/

/** Has a server of HTTP speak TLS too. Gives a function that ends the connections that have not begun. */
export function speakBothProtocols(
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
