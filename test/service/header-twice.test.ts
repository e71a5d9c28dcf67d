/** Headers that come twice are one, with both values: of two tokens none is meant. */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { useBench } from '../support/harness.ts'

const bench = useBench()

it.each([
  ['once', 1, '200'],
  ['twice', 2, '401'],
])('a good token that comes %s', async (_, times, status) => {
  const world = await bench.world()
  const { port, pathname } = new URL(world.baseUrl)
  const line = `AUTHORIZATION:  Bearer ${await world.token()} `
  const path = `${pathname.replace(/\/$/, '')}/api/sandbox/v1/send-money/all?companyId=${world.companyId}`
  const head = [`GET ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, 'Connection: close', ...Array(times).fill(line)]
  const socket = connect(Number(port), '127.0.0.1')
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  const answer = await text(socket)
  expect(answer.split(' ', 2)[1]).toBe(status)
  if (times > 1) expect(answer).toContain('must be \\"Bearer <ACCESS_TOKEN>\\"')
})
