/** The callback doctor, asked about receivers that really have something wrong with them. */
import { expect, it } from 'vitest'
import { inContainer } from '../../../src/hosts/node/callback-sender.ts'
import { alarms } from '../../support/alarms.ts'
import { useBench } from '../../support/harness.ts'
import { bare, http, https, needsTrust, nothing } from './receivers.ts'

const time = alarms()
const bench = useBench({ time })
const scenario = {
  name: 'once',
  description: 'Receivers are told once.',
  callbacks: { retry: { attempts: 1 } },
}

/** What becomes of a callback to an address: its only attempt. */
async function attemptAt(callbackUrl: string) {
  const world = await bench.world({ scenario })
  const uuid = await bench.pay(world, { callbackUrl })
  await world.advance('1m')
  const payment = await world.control('GET', `/payments/${uuid}`)
  const [callback] = payment.callbacks
  return { world, payment, callback, attempt: callback.tries[0] }
}

const refused = inContainer() ? 'container-loopback' : 'refused'

it.each([
  ['nothing that listens', nothing, refused],
  ['one that closes the connection', () => bare((socket) => socket.destroy()), 'closed'],
  ['one that never answers', () => bare((socket) => socket.once('data', time.ring)), 'too-slow'],
  ['one that stops in its answer', () => http((_, answer) => answer.writeHead(200).write('o', time.ring)), 'too-slow'],
  [
    'one that breaks off in its answer',
    () => http((_, answer) => answer.writeHead(200, { 'content-length': 9 }).write('o', () => answer.destroy())),
    'broke-off',
  ],
  ['one that speaks no HTTP', () => bare((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')), 'not-http'],
  ['one whose certificate is self-signed', https, 'tls-self-signed'],
  [
    'one that is sent https and speaks http',
    async () => (await http((_, answer) => answer.end())).replace('http', 'https'),
    'https-to-http',
  ],
  ['one that is sent http and speaks TLS', async () => (await https()).replace('https', 'http'), 'closed'],
  ['one that begins no TLS', async () => (await bare(time.ring)).replace('http', 'https'), 'unreachable'],
  ['a name that does not exist', async () => 'http://shop.invalid/callback', 'name-unknown'],
  [
    'one that redirects to a login',
    () => http((_, answer) => answer.writeHead(302, { location: '/login?next=/callback' }).end()),
    'login-page',
  ],
  ['one that takes GET only', () => http((_, answer) => answer.writeHead(405, { allow: 'GET' }).end()), 'method'],
  ['mfano itself', async () => `${bench.simulator.baseUrl}/callback`, 'mfano-itself'],
])('says what is wrong with %s', async (_, receiver, code) => {
  const { callback, attempt } = await attemptAt(await receiver())
  expect(callback.state).toBe('failed')
  expect(attempt.diagnosis).toMatchObject({ code, what: attempt.error })
  for (const words of [attempt.diagnosis.why, attempt.diagnosis.todo]) expect(words.length).toBeGreaterThan(20)
})

it.for([
  ['has expired', { to: '2021-01-01' }, 'tls-expired'],
  ['begins later', { from: '2110-01-01' }, 'tls'],
  ['is for another host', { name: 'other.example' }, 'tls-wrong-host'],
] as const)('says of a certificate from a known authority that it %s', async ([_, certificate, code], context) => {
  needsTrust(context)
  const { attempt } = await attemptAt(await https({ ...certificate, trusted: true }))
  expect(attempt.diagnosis.code).toBe(code)
})

it('delivers to a receiver whose certificate is good, and tells of it', async (context) => {
  needsTrust(context)
  const url = await https({ trusted: true })
  const { world, callback } = await attemptAt(url)
  expect(callback.state).toBe('delivered')
  const { stages } = await world.control('POST', '/doctor', { url })
  expect(stages.at(-1)).toMatchObject({ stage: 'tls', ok: true })
  expect(stages.at(-1).text).toMatch(/^TLSv1\.3, certificate of localhost, valid until Jan {2}1 00:00:00 2120 GMT$/)
})

it('keeps the diagnosis where attempts are shown: in the callback, the explanation and the stream', async () => {
  const { world, payment, callback, attempt } = await attemptAt(
    await http((_, answer) => answer.writeHead(404, { 'content-type': 'text/plain' }).end('no such page')),
  )
  expect(attempt).toMatchObject({
    status: 404,
    error: 'answered 404; a 2xx counts as received',
    diagnosis: { code: 'no-route', why: 'the receiver has nothing at /callback: no such page' },
  })
  const { story, stopped } = payment.explanation
  expect(story.at(-1)).toMatchObject({
    station: 'attempt',
    text: 'Attempt 1 of callback 1: answered 404; a 2xx counts as received, because the receiver has nothing at /callback: no such page',
    diagnosis: attempt.diagnosis,
  })
  expect(stopped.next).toEqual([
    attempt.diagnosis.todo,
    `Then send it again: POST ${world.baseUrl}/_mfano/callbacks/${callback.id}/redeliver`,
  ])
  const again = await world.control('POST', `/callbacks/${callback.id}/redeliver`)
  expect(again.tries[0].diagnosis).toEqual(attempt.diagnosis)
})

it('takes a page for received, and says that it is odd', async () => {
  const { callback, attempt } = await attemptAt(
    await http((_, answer) => answer.writeHead(200, { 'content-type': 'text/html' }).end('<title>My shop</title>')),
  )
  expect([callback.state, attempt.error]).toEqual(['delivered', null])
  expect(attempt.diagnosis).toMatchObject({ code: 'page-accepted', what: 'answered 200 with an HTML page' })
  expect(attempt.diagnosis.why).toContain('"My shop"')
})

it('says that an answer was lost on purpose', async () => {
  const world = await bench.world({
    scenario: { ...scenario, callbacks: { loseAnswers: 1, retry: { attempts: 2, backoff: ['1s'] } } },
  })
  await world.control('POST', '/collections/stk', {
    phoneNumber: '254712345678',
    amount: 5,
    callbackUrl: bench.receiver.url(),
  })
  await world.advance('1m')
  const { tries } = await world.control('GET', '/callbacks/1')
  expect(tries).toMatchObject([{ diagnosis: { code: 'answer-lost' } }, { diagnosis: null, error: null }])
})

it('examines an address before the first payment, and sends nothing', async () => {
  const world = await bench.world({ scenario })
  expect(await world.control('POST', '/doctor', { url: bench.receiver.url() })).toMatchObject({
    ok: true,
    stages: [
      { stage: 'name', ok: true, text: '127.0.0.1 is an address' },
      { stage: 'connect', ok: true, text: expect.stringMatching(/^connected to 127\.0\.0\.1 port \d+$/) },
    ],
    diagnosis: null,
    sample: null,
    answer: null,
  })
  expect(bench.receiver.received).toEqual([])
})

it('sends a sample that is marked as one, when it is asked to', async () => {
  const world = await bench.world({ scenario })
  const { ok, stages, sample, answer } = await world.control('POST', '/doctor', {
    url: bench.receiver.url(),
    send: 'till',
  })
  expect(ok).toBe(true)
  expect(stages.at(-1)).toMatchObject({ stage: 'answer', ok: true, text: 'answered 200' })
  expect(answer).toEqual({ status: 200, body: 'noted' })
  const [received] = bench.receiver.received
  expect(received?.headers['mfano-sample']).toBe('doctor')
  expect(received?.body).toEqual(sample.body)
  expect(received?.body).toMatchObject({ requestId: '00000000-0000-0000-0000-000000000000', status: 'SUCCESS' })
  expect((await world.control('GET', '/payments')).total).toBe(0)
})

it.each(['send-money', 'till', 'paybill', 'bank-payout', 'account-verification', 'stk', 'checkout'])(
  'has a sample of %s',
  async (send) => {
    const world = await bench.world({
      scenario: { ...scenario, assumptions: { 'callback-signature': 'standard-webhooks' } },
    })
    expect(await world.control('POST', '/doctor', { url: bench.receiver.url(), send })).toMatchObject({ ok: true })
    expect(bench.receiver.received[0]?.headers['webhook-signature']).toMatch(/^v1,/)
  },
)

it.each([
  ['ftp://shop.example/callback', ['address'], 'bad-address'],
  ['localhost:3000/callback', ['address'], 'bad-address'],
  ['http://shop.invalid/callback', ['name'], 'name-unknown'],
  [nothing, ['name', 'connect'], refused],
  [() => bare((socket) => socket.destroy()), ['name', 'connect', 'answer'], 'closed'],
  [https, ['name', 'connect', 'tls'], 'tls-self-signed'],
  [() => http((_, answer) => answer.writeHead(500).end('boom')), ['name', 'connect', 'answer'], 'crashed'],
])('examines %s, up to the stage that fails', async (receiver, stages, code) => {
  const world = await bench.world({ scenario })
  const url = typeof receiver === 'string' ? receiver : await receiver()
  const found = await world.control('POST', '/doctor', { url, send: 'send-money' })
  expect(found.stages.map(({ stage }: { stage: string }) => stage)).toEqual(stages)
  expect(found.stages.map((stage: { ok: boolean }) => stage.ok)).toEqual(stages.map((_, i) => i < stages.length - 1))
  expect(found).toMatchObject({ ok: false, diagnosis: { code } })
  expect(found.stages.at(-1).text).toBe(found.diagnosis.what)
})
