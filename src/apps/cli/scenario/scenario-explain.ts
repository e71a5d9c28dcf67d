import type { Explanation } from '../../../client/control.ts'
import { toldZone } from '../../../core/model/calendar.ts'
import { keysIn } from '../../../core/model/must.ts'
import { didYouMean } from '../../../core/model/problems.ts'
import { counted } from '../../../core/model/text.ts'
import { faultTarget } from '../../../core/response-faults.ts'
import { storyLines } from '../../../inspect/explain-payment.ts'
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
    `mfano scenario explain flaky-rail --on paybill --nth 3`,
    `mfano scenario explain month-end.yaml --on getToken`,
    `mfano scenario explain --url http://localhost:8080 --world shop --on till --request '{"businessNumber":"000404"}'`,
  ],
  ask: predict,
  show: (explanation, output) => `${decisionText(explanation, output)}${storyText(explanation)}`,
})

function storyText({ story, stopped, timezone }: Explanation): string {
  const shown = story.filter(({ station }) => station !== 'rule')
  if (shown.length === 0) return ''
  return `\n${storyLines(shown, toldZone(timezone)).join('\n')}\n${stopped === null ? '' : `\nThen: ${stopped}\n`}`
}

const TITLES = { answer: 'Faults of answers:', rule: 'Rules:', callback: 'Faults of callbacks:' } as const

function decisionText({ decisions, off, unread }: Explanation, { paint }: Output): string {
  const parts = keysIn(TITLES).flatMap((about) => {
    const all = decisions.filter((one) => one.about === about)
    // Rules behind the one that decides are many.
    const asked = all.filter(({ outcome }) => about !== 'rule' || outcome !== 'not asked')
    const width = Math.min(60, Math.max(0, ...asked.map(({ name }) => name.length)))
    const lines = asked.map(({ name, outcome, why }) => {
      const isMet = outcome === 'met' || outcome === 'decided'
      const said = outcome === 'met' ? `is met: ${why}` : outcome === 'decided' ? `decides: ${why}` : why
      return paint(isMet ? 'green' : 'dim', `${isMet ? '=>' : '  '} ${name.padEnd(width)}  ${said}`)
    })
    const behind = all.length - asked.length
    return [
      ...(all.length > 0 ? [TITLES[about]] : []),
      ...lines,
      ...(behind > 0 ? [`   ${counted(behind, 'rule')} behind it ${behind === 1 ? 'was' : 'were'} not asked`] : []),
    ]
  })
  return [
    ...(off === null ? [] : [off]),
    ...(parts.length === 0 && off === null ? ['No rule and no fault is asked about it.'] : parts),
    ...(unread.length === 0 ? [] : [`Not a field of it: ${unread.join(', ')}`]),
    '',
  ].join('\n')
}
