/** `mfano scenario explain`: shows which rule decides, which faults apply, and why earlier rules do not. */
import { readFileSync } from 'node:fs'
import type { ControlAnswer, ControlBody } from '../../../client/control.ts'
import { plainTime } from '../../../core/model/calendar.ts'
import { openingOf } from '../../../core/model/kind.ts'
import type { JsonObject, PaymentKind } from '../../../core/model/payment.ts'
import { didYouMean } from '../../../core/model/problems.ts'
import { formatDuration, type InstantUs } from '../../../core/model/time.ts'
import { faultTarget } from '../../../core/response-faults.ts'
import { whyUnreadable } from '../../../hosts/node/file-access.ts'
import { mermaidOf, type SequencePart } from '../../../inspect/report-document.ts'
import type { FaultLine, TraceLine } from '../../../inspect/trace-text.ts'
import { type PreviewSequence, presentSequence } from '../../../server/preview.ts'
import {
  type Arguments,
  CLEAN,
  type CliCommand,
  type Flag,
  formatFlags,
  formatOf,
  UsageError,
  urlFlag,
  worldFlag,
} from '../command.ts'
import type { Output, Paint } from '../output.ts'
import { serverOf } from '../server.ts'
import { durationValue, instantValue, objectOf, seedValue, setFlag, wholeValue } from '../typed-values.ts'

// Flags that `scenario explain` and `scenario preview` share: the request, the scenario, the time, and earlier
// payments.

const requestFlags: readonly Flag[] = [
  {
    name: 'on',
    value: 'kind|operation',
    help: 'A kind such as till, or an operation such as getToken.',
    expected: 'a kind of payment such as send-money, or an operation such as getToken',
    names: 'kinds',
  },
  {
    name: 'request',
    value: 'json|@file',
    help: 'The request, or a part of it, as JSON or @file.',
    expected: 'a JSON object such as {"amount":1000}, or @ and the name of a file that holds one',
    byDefault: '{}',
  },
  {
    name: 'nth',
    value: 'number',
    help: 'Assume that this is the n-th such request in a row.',
    ...wholeValue(1, 1000),
    byDefault: '1',
  },
  {
    name: 'at',
    value: 'time',
    help: "Simulated time, in the scenario's zone. Default: its start.",
    ...instantValue,
  },
  {
    name: 'history',
    value: 'name=n,…',
    help: 'Assume earlier payments to the same party: succeeded, failed, pending, paidToday.',
    expected: 'earlier payments, such as failed=3 or succeeded=2,paidToday=5000',
  },
  {
    name: 'wallet',
    value: 'amount',
    help: 'Assume that the wallet holds this many shillings.',
    expected: 'an amount in shillings, such as 500',
    holds: (text) => /^\d{1,15}(?:\.\d{1,2})?$/.test(text),
  },
  {
    name: 'organisation',
    value: 'name=value,…',
    help: 'Assume another organisation: uuid, name, parent.',
    expected: 'what it is, such as name=Shop,parent=false',
  },
  {
    name: 'token-age',
    value: 'duration',
    help: 'Assume that the token is this old.',
    ...durationValue,
    expected: 'a length of time such as 2m',
  },
]

const stillWorldFlags: readonly Flag[] = [
  setFlag,
  {
    name: 'seed',
    value: 'number',
    help: "The world's seed. Default: the scenario's.",
    ...seedValue,
  },
]

type ExplainRequestBody = ControlBody<'POST', '/scenario/explain'>

async function readExplainRequest(given: Arguments): Promise<ExplainRequestBody> {
  // Loaded where it is used: its vocabulary takes a while to read.
  const [{ paymentsService }, { explainedFields, explainRequestOf }, { check }] = await Promise.all([
    import('../../../service/service.ts'),
    import('../../../server/explain.ts'),
    import('../../../http/validate.ts'),
  ])
  const about = readSubject(given.get('on'), paymentsService)
  const request = readRequest(given.get('request') ?? '{}')
  const operation =
    'kind' in about
      ? openingOf(paymentsService, about.kind)
      : paymentsService.operations.find(({ id }) => id === about.operation)
  const known = explainedFields('kind' in about ? about.kind : null, operation ?? null)
  const unknown = Object.keys(request).filter((field) => !known.includes(field))
  if (unknown.length > 0) {
    const lines = unknown.map((field) => `${JSON.stringify(field)} is not a field of it.${didYouMean(field, known)}`)
    const whose = 'kind' in about ? `A ${about.kind} request` : about.operation
    throw new UsageError(`--request: ${lines.join(' ')} ${whose} has ${known.join(', ') || 'none'}.`)
  }
  const body = {
    ...about,
    request,
    nth: given.number('nth'),
    at: given.get('at'),
    wallet: given.number('wallet'),
    tokenAge: given.get('token-age'),
    history: readPairs(given.get('history'), (value) => (/^\d+$/.test(value) ? Number(value) : value)),
    organisation: readPairs(given.get('organisation'), (value, name) =>
      name === 'parent' && /^(?:true|false)$/.test(value) ? value === 'true' : value,
    ),
  }
  const checked = check(explainRequestOf(), body)
  if ('problems' in checked) throw new UsageError(checked.problems.map(({ text }) => `--${text}`).join('\n'))
  return checked.data
}

function readPairs<Value>(text: string | undefined, read: (value: string, name: string) => Value) {
  if (text === undefined) return undefined
  const pairs = text.split(',').map((part) => part.split('=', 2))
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, read(value, name)]))
}

function readSubject(
  on: string | undefined,
  { kinds, operations }: typeof import('../../../service/service.ts').paymentsService,
): { kind: PaymentKind } | { operation: string } {
  const expected = `Expected one of ${kinds.names.join(', ')}, or an operation such as getToken or "POST /api/v1/get-token".`
  if (on === undefined) throw new UsageError(`--on is missing. ${expected}`)
  if (kinds.find(on)) return { kind: on }
  const operation = operations.find((one) => one.id === on || faultTarget(one) === on)
  if (operation) return { operation: operation.id }
  const known = [...kinds.names, ...operations.flatMap((one) => [one.id, faultTarget(one)])]
  throw new UsageError(`--on: there is no ${JSON.stringify(on)}.${didYouMean(on, known) || ` ${expected}`}`)
}

function readRequest(written: string): JsonObject {
  let text = written
  if (written.startsWith('@')) {
    try {
      text = readFileSync(written.slice(1), 'utf8')
    } catch (error) {
      throw new UsageError(`--request: ${written.slice(1)} cannot be read: ${whyUnreadable(error)}.`)
    }
  }
  return objectOf('--request', text)
}

const formats = ['text', 'json'] as const
type Explanation = ControlAnswer<'POST', '/scenario/explain'>

export const scenarioExplainCommand: CliCommand = {
  name: 'explain',
  words: '[FILE]',
  names: ['scenarios'],
  summary: 'Explain which rule and faults a request meets.',
  about: 'It also says why each earlier rule does not match. Give a FILE, or --url for a running world.',
  flags: [...requestFlags, ...stillWorldFlags, urlFlag, worldFlag, ...formatFlags(formats)],
  examples: [
    `mfano scenario explain tzs-minimum --on send-money --request '{"amount":500,"currencyCode":"TZS"}'`,
    `mfano scenario explain month-end.yaml --on till --request @request.json --at 2025-01-31T17:00:00`,
    `mfano scenario explain flaky-rail --on paybill --nth 3 --history failed=2 --wallet 500`,
    `mfano scenario explain month-end.yaml --on getToken`,
    `mfano scenario explain --url http://localhost:8080 --world shop --on till --request '{"businessNumber":"000404"}'`,
  ],
  run: async (given, output) => {
    const asked = await readExplainRequest(given)
    const elsewhere = given.words.length === 0
    if (!elsewhere && ['url', 'world'].some((flag) => given.has(flag)))
      throw new UsageError('Expected either a FILE, or --url and --world for a world that runs.')
    if (elsewhere && stillWorldFlags.some(({ name }) => given.has(name)))
      throw new UsageError('--set and --seed apply to a FILE only.')
    const explanation = elsewhere
      ? await serverOf(given).control('POST', '/scenario/explain', { body: asked })
      : await explainHere(given, asked)
    if (formatOf(given) === 'json') output.out(`${JSON.stringify(explanation, null, 2)}\n`)
    else output.out(asText(explanation, output))
    return CLEAN
  },
}

async function explainHere(given: Arguments, asked: ExplainRequestBody): Promise<Explanation> {
  const [{ explain }, { stillWorlds }] = await Promise.all([
    import('../../../server/explain.ts'),
    import('./still-world.ts'),
  ])
  return explain(stillWorlds(given), asked)
}

function asText({ rule, refuse, plan, short, trace, faults, off }: Explanation, { paint }: Output): string {
  const list = (lines: readonly { name: string; why: string; chosen: boolean }[]) => {
    const width = Math.min(60, Math.max(0, ...lines.map(({ name }) => name.length)))
    return lines.map(({ name, why, chosen }) =>
      paint(chosen ? 'green' : 'dim', `${chosen ? '=>' : '  '} ${name.padEnd(width)}  ${why}`),
    )
  }
  const answer = faults.answer
  const ofAnswer = list(faultLines(answer?.trace ?? []))
  if (answer && !answer.executed) ofAnswer.push('   nothing is executed')
  const ofCallback = list(faultLines(faults.callback?.trace ?? []))
  const decided = trace.find(({ outcome }) => outcome === 'decided')
  const ofRules = trace.length === 0 ? [] : list(ruleLines(trace))
  if (trace.length > 0 && !decided) ofRules.push(`No rule decides it: ${rule ?? '(no rule)'}`)
  if (decided && refuse && decided.rule !== rule)
    ofRules.push(`=> then ${rule} refuses it: ${refuse.status} ${refuse.code}`)
  if (trace.length === 0 && refuse)
    ofRules.push(`=> no rule is asked: the service refuses it: ${refuse.status} ${refuse.code}: ${refuse.details}`)
  for (const name of plan?.rails ?? [])
    ofRules.push(
      plan?.until?.float === name
        ? `=> then ${name} holds it until it is topped up`
        : `=> then ${name} changes how it ends: ${plan?.end}`,
    )
  if (short)
    ofRules.push(
      `=> then the wallet refuses it: it holds ${short.available} of ${short.needed}: 402 INSUFFICIENT_FUNDS`,
    )
  const behind = trace.length - asked(trace).length
  if (decided && behind > 0)
    ofRules.push(`   ${behind} ${behind === 1 ? 'rule' : 'rules'} behind it ${behind === 1 ? 'was' : 'were'} not asked`)

  const sections: [title: string, lines: string[]][] = [
    [`Faults of answers, ${answer?.operation}:`, ofAnswer],
    ['Rules:', ofRules],
    ['Faults of callbacks:', ofCallback],
  ]
  const filled = sections.filter(([, lines]) => lines.length > 0)
  if (filled.length === 0) return `${off ?? `No fault watches ${answer?.operation}.`}\n`
  const shown = filled.flatMap(([title, lines]) => (filled.length > 1 || lines !== ofRules ? [title, ...lines] : lines))
  return `${[...(off === null ? [] : [off]), ...shown].join('\n')}\n`
}

/** Leaves out rules after the deciding one, because they are not evaluated. */
function asked(trace: readonly TraceLine[]): readonly TraceLine[] {
  const at = trace.findIndex(({ outcome }) => outcome === 'decided')
  return at < 0 ? trace : trace.slice(0, at + 1)
}

function ruleLines(trace: readonly TraceLine[]) {
  return asked(trace).map(({ rule, outcome, why }) => {
    const chosen = outcome === 'decided'
    return { name: rule, why: chosen ? `decides: ${why}` : why, chosen }
  })
}

function faultLines(trace: readonly FaultLine[]) {
  return trace.map(({ fault, outcome, why }) => {
    const chosen = outcome === 'met'
    return { name: fault, why: chosen ? `is met: ${why}` : why, chosen }
  })
}

// Prints a previewed sequence in each format.

const previewFormats = ['text', 'mermaid', 'json'] as const

function printPreview(sequence: PreviewSequence, format: (typeof previewFormats)[number], paint: Paint): string {
  if (format === 'json') return `${JSON.stringify(presentSequence(sequence), null, 2)}\n`
  if (format === 'mermaid') return asMermaid(sequence)
  return previewText(sequence, paint)
}

function previewText({ scenario, what, rule, fault, startUs, zone, steps }: PreviewSequence, paint: Paint): string {
  const clock = (atUs: InstantUs) => plainTime(atUs, zone)
  const since = (atUs: InstantUs) => elapsed(startUs, atUs)
  const times = Math.max(...steps.map(({ atUs }) => clock(atUs).length))
  const ages = Math.max(...steps.map(({ atUs }) => since(atUs).length))
  const lines = steps.map(({ atUs, from, to, what: step, only }) => {
    const arrow = from === to ? from : `${from} -> ${to}`
    const line = `${clock(atUs).padEnd(times)}  ${since(atUs).padEnd(ages)}  ${arrow.padEnd(17)}  ${step}${only ? `, if ${only}` : ''}`
    return only ? paint('dim', line) : line
  })
  const decided = rule === null ? '' : `, decided by the rule "${rule}"`
  const met = fault === null ? '' : `, met by the fault "${fault}"`
  return `${what} in scenario ${scenario}${decided}${met}\n\n${lines.join('\n')}\n`
}

type Party = PreviewSequence['steps'][number]['from']

const parties: readonly Party[] = ['merchant', 'mfano', 'rail']

function asMermaid({ scenario, what: about, rule, fault, startUs, steps }: PreviewSequence): string {
  const lanes = parties.filter((party) => steps.some(({ from, to }) => from === party || to === party))
  const title = { over: lanes, text: [`${about} in ${scenario}`, rule ?? fault].filter(Boolean).join(': ') }
  const parts = steps.map(({ atUs, from, to, what, only }): SequencePart => {
    const text = `${elapsed(startUs, atUs)} ${what}${only ? `, if ${only}` : ''}`
    if (from === to) return { over: [from], text }
    const isAnswer = from === 'mfano' && to !== 'mfano' && !what.startsWith('callback')
    return { from, to, text, ...(isAnswer && { sort: 'answer' }) }
  })
  return `${mermaidOf({ lanes, steps: [title, ...parts] })}\n`
}

/** Exact, so that steps close together still show different times. */
function elapsed(fromUs: InstantUs, toUs: InstantUs): string {
  return `+${formatDuration(toUs - fromUs)}`
}

// `mfano scenario preview`: shows what would happen and when, without running anything.

export const previewCommand: CliCommand = {
  name: 'preview',
  words: 'FILE',
  names: ['scenarios'],
  summary: 'Preview what a request would lead to.',
  about: 'It prints each step with its simulated time. Nothing is executed.',
  flags: [
    ...requestFlags,
    ...stillWorldFlags,
    ...formatFlags(previewFormats, 'Output for people, as a Mermaid diagram, or for programs.'),
  ],
  examples: [
    `mfano scenario preview late-reversal --on bank-payout --request '{"amount":20000}'`,
    `mfano scenario preview month-end.yaml --on send-money --nth 3 --wallet 500 --at 2025-01-31T17:00:00`,
    `mfano scenario preview default --on till --request '{"businessNumber":"000408","amount":100}' --format mermaid`,
  ],
  run: async (given, output) => {
    const asked = await readExplainRequest(given)
    const [{ preview }, { stillWorlds }] = await Promise.all([
      import('../../../server/preview.ts'),
      import('./still-world.ts'),
    ])
    const sequence = await preview(stillWorlds(given), asked)
    output.out(printPreview(sequence, formatOf(given), output.paint))
    return CLEAN
  },
}
