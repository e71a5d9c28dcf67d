import type { Received } from '../../support/harness.ts'
import { bodies, everyOne, type Probes, payTill, read, type Stage } from './probe.ts'

const API = '/api/sandbox/v1'

/** Pays a till, lets time pass, and gives what its receiver got. */
async function told({ world, receiver }: Stage, by = '1m'): Promise<Received[]> {
  await payTill(world, receiver.url('/told'))
  await world.advance(by)
  return receiver.received
}

/** A session that nobody pays, or somebody begins to; gives its status after a time, and whether its receiver was told of it. */
async function unpaid({ world, receiver }: Stage, by: string, paying?: object) {
  const { body } = await world.post(`${API}/checkout-sessions`, bodies.checkout(receiver.url('/session')))
  if (paying) await world.control('POST', `/checkout/${body.id}/pay`, paying)
  await world.advance(by)
  // The token has grown too old.
  world.logout()
  const { status } = (await world.get(`${API}/checkout-sessions/${body.id}`)).body
  return { status, told: receiver.at('/session').length }
}

export const callbackProbes = {
  'callback-retries': async (stage) => {
    stage.receiver.answer = 500
    return (await told(stage, '3h')).length
  },
  'callback-timeout': async ({ world, receiver, time }) => {
    const arrived = Promise.withResolvers<void>()
    const given = Promise.withResolvers<number>()
    receiver.answer = () => {
      arrived.resolve()
      return given.promise
    }
    await payTill(world, receiver.url())
    const moved = world.advance('2s')
    await arrived.promise
    const waitedMs = await time.next()
    time.pass(waitedMs)
    await moved
    given.resolve(200)
    receiver.answer = 200
    const { callbacks } = await world.control('GET', '/callbacks')
    return [waitedMs, callbacks[0].attempts]
  },
  'callback-headers': async (stage) => {
    const [first] = await told(stage)
    return [first?.headers['content-type'], first?.headers['user-agent'], first?.headers.accept]
  },
  'callback-trace': async ({ world, receiver }) => {
    const headers = { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' }
    await world.post(`${API}/till`, bodies.till(receiver.url()), { headers })
    await world.advance('1m')
    return receiver.received.map((one) => one.headers['traceparent'])
  },
  'callback-moment': async ({ world, receiver }) => {
    let seen: unknown
    receiver.answer = async () => {
      seen = (await read(world, '/till/all'))[0].status
      return 200
    }
    await payTill(world, receiver.url())
    await world.advance('1m')
    return seen
  },
  'expired-callback': async (stage) => unpaid(stage, '25h'),
  'reversal-callback': {
    scenario: everyOne('till', { after: '1s', end: 'SUCCESS', revise: { after: '1s', end: 'FAILED' } }),
    probe: async (stage) => (await told(stage)).map(({ body }) => body.status),
  },
  'extra-fields': async (stage) => {
    await payTill(stage.world, stage.receiver.url('/told'))
    await stage.world.advance('1m')
    const [record] = await read(stage.world, '/till/all')
    return [Object.keys(record), Object.keys(stage.receiver.received[0]?.body)].map((names) => names.length)
  },
  'field-order': async (stage) => Object.keys((await told(stage))[0]?.body),
  'session-life': async (stage) => {
    const { status } = await unpaid(stage, '10m')
    await stage.world.advance('1h')
    return [status, stage.receiver.at('/session').length]
  },
  'prompt-life': async (stage) =>
    (await unpaid(stage, '10s', { method: 'MPESA_STK', phoneNumber: '254711000100' })).status,
  'final-callback': async (stage) => (await told(stage)).map(({ body }) => body.status),
  'callback-signature': async (stage) => (await told(stage))[0]?.headers['webhook-signature'] !== undefined,
  'callback-success': async (stage) => {
    stage.receiver.answer = 204
    return (await told(stage, '30s')).length
  },
  'checkout-callback': async ({ world, receiver }) => {
    await world.post(`${API}/checkout-sessions`, bodies.checkout(receiver.url('/session')))
    await world.advance('25h')
    return receiver.at('/session').map(Object.keys)
  },
  'bank-collection-callback': async ({ world, receiver }) => {
    await world.control('PATCH', `/organisations/${world.companyId}`, { collectionCallbackUrl: receiver.url('/bank') })
    await world.control('POST', '/collections/bank', { amount: 10 })
    await world.advance('1s')
    return receiver.at('/bank').length
  },
  'bank-callback-business-number': async ({ world, receiver }) => {
    await world.post(`${API}/bank/payout/new`, {
      bankCode: '0068',
      beneficiaryName: 'Jane Wanjiku Mwangi',
      creditAccountNumber: '01100000000422',
      amount: 2500,
      narration: 'Invoice 2041',
      callbackUrl: receiver.url('/paid'),
    })
    await world.advance('1m')
    return receiver.at('/paid').map(({ businessNumber }) => businessNumber)
  },
} as const satisfies Probes
