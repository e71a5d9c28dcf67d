/**
 * A newcomer adds one declaration or record: an operation, its command, a column, a finding, a field. Every door has it.
 */
import { expect, it, vi } from 'vitest'
import * as z from 'zod'
import { listsText } from '../../install/generate/files.ts'
import { tools } from '../../src/apps/mcp/tools.ts'
import { namedControl, worldControl } from '../../src/apps/testing/world-control.ts'
import { answer, words } from '../apps/cli/support.ts'
import { useBench } from '../support/harness.ts'

vi.mock(import('../../src/server/control-operations.ts'), async (load) => {
  const [{ controlOperations }, { controlOperation }, { paymentSummary }] = await Promise.all([
    load(),
    import('../../src/server/control/declared-operation.ts'),
    import('../../src/inspect/present.ts'),
  ])
  const largest = controlOperation('payment.largest', {
    method: 'GET',
    path: '/largest',
    summary: 'List the largest payments',
    agent: { tool: 'largest_payments', brief: 'Lists the largest payments of a world.' },
    query: z.strictObject({ least: z.coerce.number().default(0).describe('The smallest amount.') }),
    answer: () => z.object({ payments: z.array(paymentSummary.schema()) }),
    list: {
      name: 'largest',
      none: 'No payments yet.',
      columns: { referenceId: ['text', 'reference'], amount: 'money', createdAt: 'time', rule: 'file' },
      rows: ({ payments }) => payments,
    },
    screen: { says: ({ payments }) => `The first of ${payments.length}.`, examples: ['', '--least 500'] },
    run: (c, { query: { least } }) => ({
      payments: c.env.world.core.store.payments
        .page({}, { limit: 1000 })
        .map((one) => paymentSummary(one, c.env.world.core))
        .filter(({ amount }) => amount >= least)
        .sort((a, b) => b.amount - a.amount),
    }),
  })
  return { controlOperations: [largest, ...controlOperations] as never }
})
// Generated from the declarations, when sources have changed.
vi.mock(import('../../src/apps/cli/operations.gen.ts'), async () => {
  const { toldOperations } = await import('../../src/server/operation-fields.ts')
  return { toldOperations }
})
vi.mock(import('../../src/inspect/reconcile/findings/habit-findings.ts'), async (load) => {
  const { callbackHabits, ...others } = await load()
  const teapot: (typeof callbackHabits)['callback_server_error'] = {
    level: 'warning',
    meaning: 'The receiver is a teapot.',
    cause: 'Somebody jokes.',
    todo: 'Answer 200.',
    sentence: ({ times, what }) => `A teapot answered ${times} times: ${what}.`,
    example: { times: 1, first: { uid: 'msg_000031', createdAtUs: 0, paymentSeq: 1 }, what: 'answered 418' },
    notice: ({ own }) => (own.some(({ status }) => status === 418) ? 'answered 418' : undefined),
  }
  return { ...others, callbackHabits: { ...callbackHabits, callback_teapot: teapot } as typeof callbackHabits }
})

vi.mock(import('../../src/service/declared/record.ts'), async (load) => {
  const { record, ...others } = await load()
  const dated: typeof record = (id, basis, declared) =>
    record(id, basis, (fields) => ({
      ...declared(fields),
      ...(id === 'BankPayoutRecord' && {
        settlementDate: fields.settable('The day on which the bank settled it.', others.textOrNull, null),
      }),
    }))
  return { ...others, record: dated }
})

const bench = useBench()
const run = (typed: string) => answer([...words(typed), '--url', bench.simulator.baseUrl])

async function paid() {
  const world = await bench.world()
  await bench.pay(world, { referenceId: 'small', amount: 100 })
  await bench.pay(world, { referenceId: 'large', amount: 900 })
  return world
}

it('an operation answers, refuses, and is in the contract', async () => {
  const world = await paid()
  const { payments } = await world.control('GET', '/largest?least=500')
  expect(payments).toMatchObject([{ referenceId: 'large', amount: 900 }])
  expect((await world.raw('GET', '/_mfano/largest?lest=500')).body.error.details).toContain('Did you mean "least"?')
  const { paths } = await world.control('GET', '/openapi.json')
  expect(paths['/_mfano/largest'].get).toMatchObject({ operationId: 'payment.largest' })
})

it('its columns are those of the table, of CSV and of the dashboard', async () => {
  const world = await paid()
  const shown = await run(`payment largest --world ${world.id}`)
  expect(shown.out).toMatch(
    /^REFERENCE +AMOUNT +CREATED\nlarge +KES 900\.00 +24 Jan 2025, .*\nsmall .*\nThe first of 2\.\n$/,
  )
  const csv = await run(`payment largest --least 500 --csv --world ${world.id}`)
  expect(csv.out).toMatch(/^referenceId,amount,createdAt,rule\r\nlarge,900,[^\r]*\r\n$/)
  expect(listsText()).toContain(
    '"payment.largest":{"name":"largest","path":"/largest","page":"before","hasPages":false,"isOfServer":false,"rows":"payments","columns":{"referenceId":["text","reference"],"amount":"money","createdAt":"time","rule":"file"},"filters":{"least":[]}}',
  )
})

it('its command is in the help, and says what it misses', async () => {
  expect((await run('payment --help')).out).toMatch(/\n +largest +List the largest payments\.\n/)
  expect((await run('payment largest --help')).out).toMatch(/--least <number>\n +The smallest amount\./)
  expect(await run('payment largest --least much')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('--least: expected a number, got "much"'),
  })
  const empty = await bench.world()
  expect((await run(`payment largest --world ${empty.id}`)).out).toBe('No payments yet.\n')
})

it('tests and agents ask for it by its name', async () => {
  const world = await paid()
  const named = namedControl(worldControl(world.baseUrl, undefined)) as unknown as {
    payment: { largest(given: object): Promise<{ payments: unknown[] }> }
  }
  expect((await named.payment.largest({ least: 500 })).payments).toHaveLength(1)
  expect(tools.map(({ name }) => name)).toContain('largest_payments')
})

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
