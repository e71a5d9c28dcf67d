/** How a rule says when and in which state a payment ends. */
import { describe, expect, it } from 'vitest'
import { bodies } from '../../support/bodies.ts'
import { useBench } from '../../support/harness.ts'
import { problemsOf, withRules } from './support.ts'

const bench = useBench()

describe('a checkout session', () => {
  const begin = async (then: string) => {
    const world = await bench.world({
      scenario: `name: session\ndescription: One session.\nrules: [{ name: tested, on: checkout, then: { ${then} } }]\n`,
    })
    const { id } = (await world.post('/api/sandbox/v1/checkout-sessions', bodies.checkout(bench.receiver.url()))).body
    const seen = async () => (await world.get(`/api/sandbox/v1/checkout-sessions/${id}`)).body.status
    return { world, seen }
  }

  it('is paid all the same by a customer who comes in time', async () => {
    const { world, seen } = await begin('after: 10s, end: EXPIRED')
    const [payment] = (await world.control('GET', '/payments')).payments
    await world.inside.perform({ command: 'signal-payment', uuid: payment.uuid, event: 'PAY_CARD', by: 'payer' })
    await world.advance('3s')
    expect(await seen()).toBe('SUCCEEDED')
    expect(await world.available()).toBe(1_001_500)
  })

  it('waits for the customer to confirm on the phone', async () => {
    const { world, seen } = await begin('pay: { after: 5s, by: MPESA_STK, confirm: 20s }, after: 3s, end: SUCCEEDED')
    const states = []
    for (const by of ['5s', '20s', '3s']) {
      await world.advance(by)
      states.push(await seen())
    }
    expect(states).toEqual(['REQUIRES_CUSTOMER_ACTION', 'PROCESSING', 'SUCCEEDED'])
  })

  it.each([
    [
      'pay: { after: 5s }, after: 10s, end: EXPIRED',
      'A session that is paid does not expire. Remove pay, or write another end.',
    ],
    [
      'pay: { after: 5s, confirm: 3s }, after: 10s, end: FAILED',
      'Only a phone prompt is confirmed. Write by: MPESA_STK beside it, or remove confirm.',
    ],
    ['pay: { after: 5s, by: MPESA }, after: 10s, end: FAILED', 'Possible: CARD, MPESA_STK.'],
  ])('is told what is wrong with { %s }', (then, message) => {
    expect(problemsOf(withRules(`  - { name: a, on: checkout, then: { ${then} } }\n`)).join('\n')).toContain(message)
  })
})
