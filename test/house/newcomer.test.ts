/**
 * A newcomer adds one record: a finding, a field. Every door has it, as doors.test.ts shows of each operation.
 */
import { expect, it, vi } from 'vitest'
import { answer, words } from '../apps/cli/support.ts'
import { useBench } from '../support/harness.ts'

vi.mock(import('../../src/inspect/reconcile/habit-findings.ts'), async (load) => {
  const { callbackHabits, ...others } = await load()
  const teapot: (typeof callbackHabits)['callback_server_error'] = {
    level: 'warning',
    meaning: 'The receiver is a teapot.',
    cause: 'Somebody jokes.',
    todo: 'Answer 200.',
    sentence: ({ times, what }) => `A teapot answered ${times} times: ${what}.`,
    notice: ({ own }) => (own.some(({ status }) => status === 418) ? 'answered 418' : undefined),
  }
  return { ...others, callbackHabits: { ...callbackHabits, callback_teapot: teapot } as typeof callbackHabits }
})

vi.mock(import('../../src/service/declarations/record.ts'), async (load) => {
  const { record, ...others } = await load()
  const settlementDate = others.settable('The day on which the bank settled it.', others.form.textOrNull, null)
  const dated: typeof record = (id, basis, declared) =>
    record(id, basis, id === 'BankPayoutRecord' ? { ...declared, settlementDate } : declared)
  return { ...others, record: dated }
})

const bench = useBench()
const run = (typed: string) => answer([...words(typed), '--url', bench.simulator.baseUrl])

it('a finding is in the comparison, in its command and in every form of the report', async () => {
  const world = await bench.world()
  bench.receiver.answer = 418
  await bench.pay(world, { referenceId: 'tea' })
  await world.advance('1d')
  const { warnings } = await world.control('POST', '/reconcile', [{ reference: 'tea', amount: 100, status: 'SUCCESS' }])
  const text = expect.stringMatching(/^A teapot answered 1 times: answered 418\.$/)
  expect(warnings).toContainEqual(expect.objectContaining({ code: 'callback_teapot', text, todo: 'Answer 200.' }))
  expect((await run(`reconcile --world ${world.id}`)).out).toContain('callback_teapot: A teapot answered 1 times')
  for (const format of ['html', 'markdown'])
    expect((await world.raw('GET', `/_mfano/report?format=${format}`)).text).toContain('A teapot answered 1 times')
})

it('a field is in the answer, in the contract, and a rule may set it', async () => {
  const rule = { name: 'settled', on: 'bank-payout', then: { after: '1s', end: 'SUCCESS' } }
  const scenario = (field: string) => ({
    name: 'settled',
    description: 'Each payout is settled on a day.',
    rules: [{ ...rule, then: { ...rule.then, with: { [field]: '2025-01-27' } } }],
  })
  const world = await bench.world({ scenario: scenario('settlementDate') })
  const request = {
    bankCode: '0068',
    beneficiaryName: 'Recipient User',
    creditAccountNumber: '01000000000000',
    amount: 1000,
    narration: 'sendToAccount',
    callbackUrl: bench.receiver.url(),
  }
  const { requestId } = (await world.post('/api/sandbox/v1/bank/payout/new', request)).body.data
  const read = async () => (await world.get(`/api/sandbox/v1/bank/payout/single?requestId=${requestId}`)).body.data[0]
  expect(await read()).toMatchObject({ settlementDate: null })
  await world.advance('1m')
  expect(await read()).toMatchObject({ settlementDate: '2025-01-27' })
  const { BankPayoutRecord } = (await world.get('/openapi.json')).body.components.schemas
  expect(BankPayoutRecord.required).toContain('settlementDate')
  expect(BankPayoutRecord.properties.settlementDate).toMatchObject({
    type: ['string', 'null'],
    description: 'The day on which the bank settled it.',
    'x-basis': 'specified',
  })
  const linted = await world.control('POST', '/scenario/lint', scenario('settlementDay'))
  expect(JSON.stringify(linted)).toContain('Did you mean \\"settlementDate\\"?')
})
