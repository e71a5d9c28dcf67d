/** The commands `mfano payment …`. */
import type { Attempt, CallbackDetail, Control, PaymentDetail, PaymentSummary } from '../../client/control.ts'
import { didYouMean } from '../../core/model/problems.ts'
import { withShortDurations } from '../../core/model/time.ts'
import { type Arguments, type CliCommand, type CommandGroup, type Flag, UsageError } from './command.ts'
import { explainCommand } from './explain-command.ts'
import type { Output } from './output.ts'
import { type Server, serverCommand } from './server.ts'
import { csvQuery, limitFlag, more, queryOf, stretchFlags, stretchOf, type TableColumn, table } from './table.ts'
import { amountOf, objectOf } from './typed-values.ts'
import { amountText, factLines, hint, httpStatus, section, state, time } from './words.ts'

// Prints one payment with all details.

export function paymentInFull(payment: PaymentDetail, output: Output): string {
  const { plan } = payment
  const about = factLines(
    [
      ['uuid', payment.uuid],
      ['kind', payment.kind],
      ['status', payment.status],
      ['amount', amountText(payment.amount, payment.currency)],
      ['reference', payment.referenceId],
      ['rule', payment.rule],
      ['plan', withShortDurations(`after ${plan.after} ${plan.end}`)],
      ['request', JSON.stringify(payment.request)],
    ],
    output.paint,
  )
  return [
    about,
    section('Timeline', timelineTable(payment, output), output.paint),
    section('Money', transferTable(payment, output), output.paint),
    section('Callbacks', callbackTable(payment, output), output.paint),
  ].join('')
}

function timelineTable({ timeline: { happened, due } }: PaymentDetail, output: Output): string {
  const moments = [...happened, ...due.map(({ at, event }) => ({ at, event, status: 'due', by: 'the clock' }))]
  return table(
    moments,
    [
      { title: 'AT', of: ({ at }) => time(at) },
      { title: 'EVENT', of: ({ event }) => event },
      { title: 'STATUS', of: ({ status }) => status, paint: (text, _, paint) => state(text, paint) },
      { title: 'BY', of: ({ by }) => by, least: 12 },
    ],
    output,
  )
}

function transferTable({ transfers, currency }: PaymentDetail, output: Output): string {
  if (transfers.length === 0) return ''
  return table(
    transfers,
    [
      { title: 'MOVEMENT', of: ({ kind }) => kind },
      { title: 'FROM', of: ({ debit }) => debit ?? null, least: 16 },
      { title: 'TO', of: ({ credit }) => credit ?? null, least: 16 },
      { title: 'AMOUNT', of: ({ amount }) => amountText(amount, currency), right: true },
      { title: 'STATE', of: (transfer) => transfer.state },
      { title: 'SETTLED', of: ({ settledAt }) => time(settledAt), spare: 1 },
    ],
    output,
  )
}

function callbackTable({ callbacks }: PaymentDetail, output: Output): string {
  const attempts = callbacks.flatMap((callback) =>
    callback.tries.length > 0 ? callback.tries.map((attempt) => ({ callback, attempt })) : [{ callback }],
  )
  if (attempts.length === 0) return ''
  return table<{ callback: CallbackDetail; attempt?: Attempt }>(
    attempts,
    [
      { title: 'ID', of: ({ callback }) => callback.id, right: true },
      { title: 'STATE', of: ({ callback }) => callback.state, paint: (text, _, paint) => state(text, paint) },
      { title: 'SENT', of: ({ attempt }) => time(attempt?.sentAt ?? null) },
      {
        title: 'ANSWER',
        of: ({ attempt }) => attempt?.status ?? null,
        paint: (text, _, paint) => httpStatus(text, paint),
      },
      { title: 'ERROR', of: ({ attempt }) => attempt?.error ?? null, least: 12, spare: 2 },
      { title: 'TO', of: ({ callback }) => callback.url, least: 20, spare: 1 },
    ],
    output,
  )
}

const columns: readonly TableColumn<PaymentSummary>[] = [
  { title: 'UUID', of: (payment) => payment.uuid },
  { title: 'KIND', of: (payment) => payment.kind },
  { title: 'STATUS', of: (payment) => payment.status, paint: (text, _, paint) => state(text, paint) },
  { title: 'AMOUNT', of: (payment) => amountText(payment.amount, payment.currency), right: true },
  { title: 'CREATED', of: (payment) => time(payment.createdAt), spare: 1 },
  { title: 'REFERENCE', of: (payment) => payment.referenceId, least: 12, spare: 2 },
  { title: 'REASON', of: ({ reason }) => reason?.says ?? null, least: 16, spare: 4 },
  { title: 'RULE', of: (payment) => payment.rule, least: 16, spare: 3 },
]

const filters = 'kind status outcome reference search organisation min-amount max-amount since until'.split(' ')
const wireNames = {
  ...{ reference: 'referenceId', organisation: 'organisationId' },
  ...{ 'min-amount': 'minAmount', 'max-amount': 'maxAmount' },
}
const amountFlag = (name: string, help: string): Flag => ({
  ...{ name, help, value: 'amount', expected: 'an amount such as 1500 or 99.50' },
})

const list = serverCommand({
  name: 'list',
  summary: 'List payments, newest first.',
  flags: [
    {
      name: 'kind',
      value: 'kind',
      help: 'Only this kind.',
      expected: 'a kind of payment such as send-money',
      names: 'kinds',
    },
    { name: 'status', value: 'status', help: 'Only this status.', expected: 'a status such as FAILED' },
    {
      name: 'outcome',
      value: 'outcome',
      help: 'Only succeeded, failed or open ones, of any kind.',
      expected: 'succeeded, failed or open',
    },
    { name: 'reference', value: 'text', help: 'Only this referenceId.', expected: 'a referenceId' },
    {
      name: 'search',
      value: 'text',
      help: 'Only payments that contain this text or phone number.',
      expected: 'a text to look for',
    },
    {
      name: 'organisation',
      value: 'uuid',
      help: 'Only this organisation.',
      expected: 'the uuid of an organisation',
    },
    amountFlag('min-amount', 'Only this amount or more.'),
    amountFlag('max-amount', 'Only this amount or less.'),
    ...stretchFlags,
    limitFlag,
  ],
  examples: [
    'mfano payment list --status FAILED',
    'mfano payment list --outcome failed --min-amount 10000 --since 2025-01-24',
    'mfano payment list --csv > payments.csv',
    'mfano payment list --kind till --limit 5 --world shop',
    "mfano payment list --json | jq -r '.payments[].uuid'",
  ],
  csv: async (given, { control }) => {
    const { query } = csvQuery(given, filters, wireNames)
    return { list: '/payments', query: { ...query, ...(await stretchOf(control, given)) } }
  },
  ask: async ({ control }, given) => {
    await requireKind(control, given.get('kind'))
    const query = { ...queryOf(given, [...filters, 'limit'], wireNames), ...(await stretchOf(control, given)) }
    return control('GET', '/payments', { query })
  },
  show: ({ total, payments }, output, given) => {
    const filtered = filters.some((flag) => given.has(flag))
    if (payments.length === 0)
      return filtered
        ? `No payments match. List all: ${hint('payment list', given)}\n`
        : `No payments yet. Send one from your app, or simulate one: ${hint('payment collect stk 254712345678 150', given)}\n`
    return table(payments, columns, output) + more(payments.length, total, given)
  },
})

/** Asks the server, because its service decides which kinds exist. */
async function requireKind(control: Control, kind: string | undefined): Promise<void> {
  if (kind === undefined) return
  const names = (await control('GET', '/kinds')).kinds.map((one) => one.kind)
  if (names.includes(kind)) return
  throw new UsageError(
    `--kind: expected one of ${names.join(', ')}, got ${JSON.stringify(kind)}.${didYouMean(kind, names)}`,
  )
}

const show = serverCommand({
  name: 'show',
  words: 'ID',
  summary: 'Show one payment with its timeline, transfers and callbacks.',
  examples: ['mfano payment show salary-1', 'mfano payment show salary-1 --json'],
  ask: ({ control }, { words: [id = ''] }) => control('GET', '/payments/:id', { path: { id } }),
  show: paymentInFull,
})

const explain: CliCommand = { ...explainCommand, examples: ['mfano payment explain salary-1'] }

const withFlag: Flag = {
  name: 'with',
  value: 'json',
  help: 'Fields of its record, as in a rule of a scenario.',
  expected: 'a JSON object such as {"errorCode":"ACCOUNT_CLOSED"}',
}
const END = 'The money moves and the callback is sent, as if the rails had decided.'

function endAs({ control }: Server, given: Arguments, status: string) {
  const [id = ''] = given.words
  const extra = given.get('with')
  const body = { status, ...(extra !== undefined && { with: objectOf('--with', extra) }) }
  return control('POST', '/payments/:id/resolve', { path: { id }, body })
}

const resolve = serverCommand({
  name: 'resolve',
  words: 'ID STATUS',
  names: [[], ['SUCCESS', 'SUCCEEDED', 'FAILED']],
  summary: 'End a pending payment now.',
  about: END,
  flags: [withFlag],
  examples: [
    'mfano payment resolve salary-1 FAILED',
    `mfano payment resolve salary-1 SUCCESS --with '{"receiverName":"JANE WANJIKU"}'`,
  ],
  ask: (server, given) => endAs(server, given, (given.words[1] ?? '').toUpperCase()),
  show: paymentInFull,
})

const fail = serverCommand({
  name: 'fail',
  words: 'ID',
  summary: 'Let a pending payment fail now.',
  about: END,
  flags: [withFlag],
  examples: ['mfano payment fail salary-1'],
  ask: (server, given) => endAs(server, given, 'FAILED'),
  show: paymentInFull,
})

const succeed = serverCommand({
  name: 'succeed',
  words: 'ID',
  summary: 'Let a pending payment succeed now.',
  about: END,
  flags: [withFlag],
  examples: ['mfano payment succeed salary-1'],
  ask: (server, given) => endAs(server, given, 'SUCCESS'),
  show: paymentInFull,
})

const ways = ['stk', 'tz', 'bank'] as const
const collectFlags: readonly Flag[] = [
  { name: 'reference', value: 'text', help: 'Your referenceId (stk, tz).', expected: 'a referenceId' },
  {
    name: 'account',
    value: 'text',
    help: 'The account that the customer enters.',
    expected: 'an account number or reference',
  },
  { name: 'description', value: 'text', help: 'The purpose of the payment.', expected: 'a text' },
  {
    name: 'callback',
    value: 'url',
    help: 'The callbackUrl (stk, tz).',
    expected: 'an address such as http://localhost:3000/done',
  },
  {
    name: 'organisation',
    value: 'uuid',
    help: 'Whose wallet is paid. Default: the first organisation.',
    expected: 'the uuid of an organisation',
  },
]

const collect: CliCommand = serverCommand({
  name: 'collect',
  words: 'WAY [PHONE] AMOUNT',
  names: [ways, []],
  summary: 'Simulate a customer payment.',
  about:
    'WAY is stk (STK push), tz (mobile money in Tanzania) or bank (bank transfer). stk and tz need PHONE. bank takes none.',
  flags: collectFlags,
  examples: [
    'mfano payment collect stk 254712345678 500 --callback http://localhost:3000/done',
    'mfano payment collect tz 255712345678 20000',
    "mfano payment collect bank 12500 --description 'Invoice 7'",
  ],
  ask: ({ control }, given) => {
    const [typed = '', ...rest] = given.words
    const way = ways.find((one) => one === typed)
    if (way === undefined)
      throw new UsageError(`WAY: expected stk, tz or bank, got ${JSON.stringify(typed)}.${didYouMean(typed, ways)}`)
    const bank = way === 'bank'
    if (rest.length !== (bank ? 1 : 2))
      throw new UsageError(bank ? 'Expected only AMOUNT after bank.' : `Expected PHONE and AMOUNT after ${way}.`)
    const none = ['reference', 'callback'].find((flag) => bank && given.has(flag))
    if (none) throw new UsageError(`--${none} applies to stk and tz only.`)
    const account = given.get('account')
    const body = {
      amount: amountOf('AMOUNT', rest.at(-1) ?? ''),
      description: given.get('description'),
      organisationId: given.get('organisation'),
    }
    if (way === 'bank')
      return control('POST', '/collections/:way', { path: { way }, body: { ...body, accountNumber: account } })
    const mobile = { phoneNumber: rest[0] ?? '', accountReference: account }
    const told = { callbackUrl: given.get('callback'), referenceId: given.get('reference') }
    return control('POST', '/collections/:way', { path: { way }, body: { ...body, ...mobile, ...told } })
  },
  show: (payment, output, given) =>
    `${table([payment], columns, output)}Follow it: ${hint(`explain ${payment.uuid}`, given)}\n`,
})

export const paymentGroup: CommandGroup = {
  commands: [list, show, explain, fail, succeed, resolve, collect],
  otherwise: 'list',
}
