import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { sample } from '../../support/fast-check.ts'
import { startOn } from '../../support/restart.ts'

// Whoever sends far too much reads why, though it first sends all of it: nothing closes the connection in between.

const PIECE = Buffer.alloc(1024 ** 2, ' ')
const PIECES = 100

/** Sends a body without looking at what comes meanwhile; gives what then has come. */
async function sent(
  port: number,
  method: string,
  path: string,
  framing: 'length' | 'chunked',
  connection: string,
): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const failed = new Promise<never>((_, reject) => socket.once('error', reject))
  const sending = async () => {
    const size = framing === 'length' ? `content-length: ${PIECES * PIECE.length}` : 'transfer-encoding: chunked'
    socket.write(`${method} ${path} HTTP/1.1\r\nhost: a\r\nconnection: ${connection}\r\n`)
    socket.write(`content-type: application/json\r\n${size}\r\n\r\n`)
    for (let i = 0; i < PIECES; i++) {
      const { length } = PIECE
      if (framing === 'chunked') socket.write(`${length.toString(16)}\r\n`)
      if (!socket.write(PIECE)) await once(socket, 'drain')
      if (framing === 'chunked') socket.write('\r\n')
    }
    if (framing === 'chunked') socket.write('0\r\n\r\n')
    // The next one comes by the same connection, or finds it closed behind the answer.
    if (connection === 'keep-alive') socket.write('GET /_mfano/clock HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n')
    let told = ''
    for await (const text of socket.setEncoding('latin1')) told += text
    return told
  }
  return Promise.race([sending(), failed]).finally(() => socket.destroy())
}

const addresses = sample([
  ['PUT', '/_mfano/scenario'],
  ['POST', '/_mfano/reconcile'],
  ['POST', '/_mfano/inbox/shop'],
  ['POST', '/api/v1/get-token'],
  ['POST', '/nowhere'],
] as const)

test.each(addresses)('%s %s', async (method, path) => {
  const { port } = await startOn(':memory:')
  for (const framing of ['length', 'chunked'] as const)
    for (const connection of ['keep-alive', 'close']) {
      const told = await sent(port, method, path, framing, connection)
      const statuses = Array.from(told.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => Number(status))
      const own = path === '/nowhere' ? 404 : path === '/_mfano/reconcile' ? expect.any(Number) : 413
      expect(statuses, `${framing}, ${connection}`).toEqual(connection === 'close' ? [own] : [own, 200])
    }
})
