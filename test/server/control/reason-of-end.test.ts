import { expect, it } from 'vitest'
import { bodies } from '../../support/bodies.ts'
import { useBench } from '../../support/harness.ts'

const bench = useBench()

/** What the list of payments says of the newest one, and what its explanation begins with. */
async function told(world: Awaited<ReturnType<typeof bench.world>>) {
  const [payment] = (await world.control('GET', '/payments')).payments
  const { explanation } = await world.control('GET', `/payments/${payment.uuid}`)
  return { party: payment.party, reason: payment.reason, why: explanation.stopped.why as string }
}

it('says nothing of a reason while a payment is under way, and when it ended well', async () => {
  const world = await bench.world()
  await bench.pay(world)
  expect(await told(world)).toMatchObject({ reason: null })
  await world.advance('5s')
  const { party, reason } = await told(world)
  expect(reason).toBeNull()
  expect(party).toEqual({ type: 'phone', id: '254712345678', bank: null, name: expect.any(String) })
})

it('names code, words and rule of a failure before it says who was notified', async () => {
  const world = await bench.world({ scenario: 'bank-name-mismatch' })
  const other = { creditAccountNumber: '0123456789', beneficiaryName: 'Somebody Else' }
  const asked = { ...bodies.bankPayout(bench.receiver.url()), ...other }
  const answer = await world.post('/api/sandbox/v1/bank/payout/new', asked)
  expect(answer.status, answer.text).toBe(201)
  await world.advance('10s')
  const { party, reason, why } = await told(world)
  expect(party).toEqual({ type: 'account', id: '0123456789', bank: '0068', name: 'Somebody Else' })
  expect(reason).toMatchObject({
    code: 'NAME_MISMATCH',
    says: 'Beneficiary name does not match',
    by: 'rule',
    why: null,
  })
  expect(why).toMatch(
    /^Beneficiary name does not match \(NAME_MISMATCH\): the rule ".+" decided so\. FAILED is final\. Its merchant was notified: /,
  )
})

it('names the limit that was broken', async () => {
  const limits = [{ name: 'daily', on: ['send-money'], daily: 50, then: 'fail' }]
  const world = await bench.world({ scenario: { name: 'strict', description: 'Little a day.', rails: { limits } } })
  await bench.pay(world)
  await world.advance('5s')
  const { reason, why } = await told(world)
  expect(reason).toMatchObject({ by: 'limit', name: 'daily' })
  expect(why).toMatch(/^Payment limit exceeded: the limit "daily" is broken\. FAILED is final\./)
})

it('says of an end that it was forced by hand, good or bad', async () => {
  const world = await bench.world()
  const bad = await bench.pay(world, { phoneNumber: '254711000999' })
  await world.control('POST', `/payments/${bad}/resolve`, { status: 'FAILED' })
  expect(await told(world)).toMatchObject({
    reason: { by: 'operator', name: null, says: 'Forced by hand', why: null },
    why: expect.stringMatching(/^Forced by hand\. FAILED is final\./),
  })
  const good = await bench.pay(world, { phoneNumber: '254711000999' })
  const resolved = await world.control('POST', `/payments/${good}/resolve`, { status: 'SUCCESS' })
  expect(resolved.explanation.stopped.why).toMatch(/^Forced by hand\. SUCCESS is final\./)
  expect(resolved.explanation.story.map(({ text }: { text: string }) => text)).toContainEqual(
    expect.stringContaining('forced by hand'),
  )
})

it('has a sentence for every bad end of every kind, though the record be silent', async () => {
  const probe = await bench.world()
  const { kinds } = await probe.control('GET', '/kinds')
  const asked = (kinds as { kind: string; operation: string | null; example: object | null }[]).flatMap(
    ({ kind, operation, example }) =>
      operation && example ? [{ kind, path: operation.split(' ')[1] as string, body: example }] : [],
  )
  expect(asked.length).toBeGreaterThanOrEqual(8)
  for (const { kind, path, body } of asked) {
    const ends = (kinds.find((one: { kind: string }) => one.kind === kind).ends as string[]).slice(1)
    for (const end of ends) {
      const pay = kind === 'checkout' ? { pay: { after: '1s' } } : {}
      const rules = [{ name: 'it fails', on: kind, then: { after: '2s', end, ...(end === 'FAILED' && pay) } }]
      const world = await bench.world({
        scenario: { name: 'silent', description: 'No reasons.', assumptions: { 'unlisted-operations': 'on' }, rules },
      })
      const answer = await world.post(path, body)
      expect(answer.status, answer.text).toBeLessThan(300)
      await world.advance('1h')
      const { reason, why } = await told(world)
      expect(reason, kind).toMatchObject({
        says: end === 'EXPIRED' ? 'Nobody paid in time' : 'The rail failed it and gave no reason',
        by: 'rule',
        name: 'it fails',
        why: null,
      })
      expect(why).toContain(`${reason.says}${reason.code === null ? '' : ` (${reason.code})`}: the rule`)
    }
  }
})
