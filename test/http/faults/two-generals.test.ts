/** The request is executed, and the caller does not get to know. */
import { expect, it } from 'vitest'
import { bodies } from '../../support/bodies.ts'
import { useBench } from '../../support/harness.ts'
import { needsProcess } from '../../support/needs.ts'
import { failureOf, faultyWorld, lastRequest, order, rule, SEND_MONEY } from './support.ts'

const bench = useBench()

it('answers 503 although the money is on its way', async () => {
  const world = await faultyWorld(bench, { rules: [rule({ answer: { status: 503 } })] })
  const answer = await world.post(SEND_MONEY, order(bench))
  expect(answer.status).toBe(503)
  expect(answer.body).toEqual({
    error: {
      code: 'SERVICE_UNAVAILABLE',
      message: 'Service unavailable',
      details: 'sent by the scenario: the fault',
    },
  })
  expect(answer.headers.get('mfano-rule')).toBe('the%20fault')
  expect(await world.available()).toBe(999_000)
  await world.advance('2s')
  const [payment] = (await world.control('GET', '/payments')).payments
  expect(payment).toMatchObject({ status: 'SUCCESS', rule: 'the fault' })
  expect(bench.receiver.at('/callback')).toMatchObject([{ requestId: payment.uuid, status: 'SUCCESS' }])
  expect(await lastRequest(world)).toMatchObject({
    status: 503,
    rule: 'the fault',
    response: answer.body,
    fault: 'the fault: executed, answered 503 SERVICE_UNAVAILABLE',
  })
})

it('answers in words of its own, in the error form of checkout', async () => {
  const answer = { status: 502, code: 'BAD_GATEWAY', message: 'Upstream closed' }
  const then = { after: '3s', end: 'SUCCEEDED', answer }
  const world = await faultyWorld(bench, { rules: [{ name: 'the gateway breaks', on: 'checkout', then }] })
  const refused = await world.post('/api/sandbox/v1/checkout-sessions', bodies.checkout(bench.receiver.url()))
  expect(refused.status).toBe(502)
  expect(refused.body).toEqual({ message: 'Upstream closed', errors: {} })
})

it('resets the connection after the payment was made', async (context) => {
  needsProcess('sockets', context)
  const world = await faultyWorld(bench, { rules: [rule({ answer: 'reset' })] })
  await world.token()
  expect(await failureOf(world.post(SEND_MONEY, order(bench)))).toBe('read ECONNRESET')
  expect(await world.available()).toBe(999_000)
  expect(await lastRequest(world)).toMatchObject({
    operation: 'createSendMoney',
    status: 0,
    response: null,
    rule: 'the fault',
    fault: 'the fault: executed, connection reset before a byte of the answer',
  })
})

it('loses the answer: 201 for the service, a closed connection for the caller', async (context) => {
  needsProcess('sockets', context)
  const world = await faultyWorld(bench, { rules: [rule({ answer: 'lost' })] })
  await world.token()
  expect(await failureOf(world.post(SEND_MONEY, order(bench)))).toBe('socket hang up')
  const request = await lastRequest(world)
  expect(request).toMatchObject({
    status: 201,
    fault: 'the fault: executed and answered, connection closed before a byte of the answer arrived',
  })
  const found = await world.get(
    `${SEND_MONEY}/single?requestId=${request.response.data.requestId}&companyId=${world.companyId}`,
  )
  expect(found.body.data.status).toBe('PENDING')
})

it('executes one request twice, each payment with its own id, money and callback', async () => {
  const world = await faultyWorld(bench, { rules: [rule({ twice: true })] })
  const answer = await world.post(SEND_MONEY, order(bench))
  expect(await world.available()).toBe(998_000)
  await world.advance('2s')
  const ids = bench.receiver.at('/callback').map(({ requestId }) => requestId)
  expect(new Set(ids).size).toBe(2)
  expect(ids).toContain(answer.body.data.requestId)
  const { plan } = await world.control('GET', `/payments/${answer.body.data.requestId}`)
  expect(plan.twice).toBe(true)
})

it('executes it once when there is no money for a second time, and says so', async () => {
  const world = await faultyWorld(bench, { rules: [rule({ twice: true })] })
  const answer = await world.post(SEND_MONEY, order(bench, { amount: 600_000 }))
  expect(answer.status).toBe(201)
  expect(await world.available()).toBe(400_000)
  const { timeline } = await world.control('GET', `/payments/${answer.body.data.requestId}`)
  expect(timeline.happened.at(-1)).toMatchObject({
    event: 'twice',
    by: 'plan, but the second time was refused: INSUFFICIENT_FUNDS',
  })
})

it('says whether connections can be ended, and answers 502 where they cannot', async () => {
  const world = await faultyWorld(bench, { rules: [rule({ answer: 'reset' })] })
  const { severs } = await world.control('GET', '/fidelity')
  expect(severs).toBe(process.env['MFANO_TEST_HOST'] !== 'workers')
  if (severs) return
  const answer = await world.post(SEND_MONEY, order(bench))
  expect([answer.status, answer.body.error]).toEqual([
    502,
    expect.objectContaining({
      code: 'BAD_GATEWAY',
      details: 'the connection was to be severed, which this host cannot do',
    }),
  ])
  expect((await lastRequest(world)).fault).toContain('this host cannot sever connections: answered 502')
  expect(await world.available()).toBe(999_000)
})

it('executes once what a customer pays in by hand, which is no request', async () => {
  const twice = { name: 'the fault', on: 'stk', then: { after: '1s', end: 'SUCCESS', twice: true } }
  const world = await faultyWorld(bench, { rules: [twice] })
  await world.control('POST', '/collections/stk', {
    amount: 600,
    phoneNumber: '254712345678',
    accountReference: 'order-1',
  })
  const { payments } = await world.control('GET', '/payments')
  expect(payments).toMatchObject([{ kind: 'stk', rule: 'the fault' }])
})
