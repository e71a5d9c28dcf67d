import { Agent, buildConnector } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { postOnce } from '../../../src/hosts/node/callback-sender.ts'
import { alarms } from '../../support/alarms.ts'
import { bare, http } from './receivers.ts'

const time = alarms()
const { alarm } = time.host
const post = { headers: {}, body: '{}', signal: new AbortController().signal }

test('a connection that is never made is told from an answer that does not come, also while others stand', async () => {
  let asked = () => {}
  const first = new Promise<void>((resolve) => {
    asked = resolve
  })
  // It takes the callback and never answers; and only one connection is ever made to it.
  const target = new URL(await http(() => asked()))
  const connect = buildConnector({})
  let made = 0
  const agent = new Agent({ connect: (options, done) => (++made === 1 ? connect(options, done) : undefined) })
  onTestFinished(() => agent.destroy())

  const giveUp = new AbortController()
  const taken = postOnce(agent, target, { ...post, timeoutMs: 60_000, signal: giveUp.signal }, alarm)
  await first
  const second = postOnce(agent, target, { ...post, timeoutMs: 1 }, alarm)
  time.pass(1)
  expect(await second).toMatchObject({ failure: { code: 'TIMEOUT', stage: 'connect' } })
  giveUp.abort()
  expect(await taken).toMatchObject({ failure: { stage: 'answer' } })
})

test('an answer is read as far as it is kept, and an interim one is none', async () => {
  const agent = new Agent()
  onTestFinished(() => agent.destroy())
  const long = new URL(await http((_, response) => response.end('x'.repeat(1_000_000))))
  const read = await postOnce(agent, long, { ...post, timeoutMs: 60_000 }, alarm)
  expect(read).toMatchObject({ status: 200, body: expect.stringMatching(/^x{65536,131072}$/) })
  const interim = await bare((socket) =>
    socket.end('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok'),
  )
  expect(await postOnce(agent, new URL(interim), { ...post, timeoutMs: 60_000 }, alarm)).toMatchObject({
    status: 201,
    body: 'ok',
  })
})
