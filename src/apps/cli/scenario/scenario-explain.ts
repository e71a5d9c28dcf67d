/** `mfano scenario explain`: which rule decides a request, and what it leads to, under a file or in a world. */
import type { Explanation } from '../../../client/control.ts'
import { toldZone } from '../../../core/model/calendar.ts'
import { didYouMean } from '../../../core/model/problems.ts'
import { faultTarget } from '../../../core/response-faults.ts'
import { storyLines } from '../../../inspect/explain-payment.ts'
import type { FaultLine, TraceLine } from '../../../inspect/trace-text.ts'
import { CommandFailed, type Flag, USAGE, UsageError } from '../command.ts'
import { type Asking, operationCommand } from '../declared-commands.ts'
import type { Output } from '../output.ts'
import { seedValue, setFlag } from '../typed-values.ts'

const flags: readonly Flag[] = [
  {
    name: 'on',
    field: 'kind|operation',
    value: 'kind|operation',
    help: 'A kind such as till, or an operation such as getToken.',
    expected: 'a kind of payment such as send-money, or an operation such as getToken',
    names: 'kinds',
  },
  setFlag,
  { name: 'seed', value: 'number', help: "The world's seed. Default: the scenario's.", ...seedValue },
]

/** Under a FILE no server is asked. */
async function predict({ given, parameters, send }: Asking<Explanation>): Promise<Explanation> {
  const subject = await readSubject(given.get('on'))
  const isElsewhere = given.words.length === 0
  if (!isElsewhere && ['url', 'world'].some((flag) => given.has(flag)))
    throw new UsageError('Expected either a FILE, or --url and --world for a world that runs.')
  if (isElsewhere) {
    if (['set', 'seed'].some((flag) => given.has(flag))) throw new UsageError('--set and --seed apply to a FILE only.')
    return send(subject)
  }
  // Loaded where they are used: their vocabulary takes a while to read.
  const [{ stillWorld }, { explain, explainRequestOf }, { check }] = await Promise.all([
    import('./still-world.ts'),
    import('../../../server/explain.ts'),
    import('../../../http/validate.ts'),
  ])
  const { scenario: _, ...typed } = parameters
  const found = check(explainRequestOf(), { ...typed, ...subject })
  if ('data' in found) return explain(stillWorld(given), found.data)
  throw new CommandFailed('', found.problems.map(({ text }) => text).join('\n'), { exitCode: USAGE })
}

async function readSubject(on: string | undefined): Promise<{ kind: string } | { operation: string }> {
  const { kinds, operations } = (await import('../../../service/service.ts')).paymentsService
  const expected = `Expected one of ${kinds.names.join(', ')}, or an operation such as getToken or "POST /api/v1/get-token".`
  if (on === undefined) throw new UsageError(`--on is missing. ${expected}`)
  if (kinds.find(on)) return { kind: on }
  const operation = operations.find((one) => one.id === on || faultTarget(one) === on)
  if (operation) return { operation: operation.id }
  const known = [...kinds.names, ...operations.flatMap((one) => [one.id, faultTarget(one)])]
  throw new UsageError(`--on: there is no ${JSON.stringify(on)}.${didYouMean(on, known) || ` ${expected}`}`)
}

export const scenarioExplainCommand = operationCommand('scenario.explain', {
  words: '[FILE]',
  fields: ['scenario'],
  names: ['scenarios'],
  about:
    'It says which rule decides, why each earlier one does not, and what comes of it. Nothing is executed. Give a FILE, or --url for a running world.',
  flags,
  examples: [
    `mfano scenario explain late-reversal --on bank-payout --request '{"amount":20000}'`,
    `mfano scenario explain month-end.yaml --on till --request @request.json --at 2025-01-31T17:00:00`,
    `mfano scenario explain flaky-rail --on paybill --nth 3 --history failed=2 --wallet 500`,
    `mfano scenario explain month-end.yaml --on getToken`,
    `mfano scenario explain --url http://localhost:8080 --world shop --on till --request '{"businessNumber":"000404"}'`,
  ],
  ask: predict,
  show: (explanation, output) => `${decisionText(explanation, output)}${storyText(explanation)}`,
})

/** Nothing where no payment is made. The rule stands above. */
function storyText({ story, stopped, timezone }: Explanation): string {
  if (stopped === null) return ''
  const shown = story.filter(({ station }) => station !== 'rule')
  return `\n${storyLines(shown, toldZone(timezone)).join('\n')}\n\nThen: ${stopped}\n`
}

function decisionText(
  { rule, refuse, plan, short, trace, faults, off, unread }: Explanation,
  { paint }: Output,
): string {
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
  const strange = unread.length === 0 ? '' : `Not a field of it: ${unread.join(', ')}\n`
  if (filled.length === 0) return `${off ?? `No fault watches ${answer?.operation}.`}\n${strange}`
  const shown = filled.flatMap(([title, lines]) => (filled.length > 1 || lines !== ofRules ? [title, ...lines] : lines))
  return `${[...(off === null ? [] : [off]), ...shown].join('\n')}\n${strange}`
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
