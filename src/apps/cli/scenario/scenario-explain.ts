/** `mfano scenario explain`: shows which rule decides, which faults apply, and why earlier rules do not. */

import type { ControlAnswer } from '../../../client/control.ts'
import type { FaultLine, TraceLine } from '../../../inspect/trace-text.ts'
import {
  type Arguments,
  CLEAN,
  type CliCommand,
  formatFlags,
  formatOf,
  UsageError,
  urlFlag,
  worldFlag,
} from '../command.ts'
import type { Output } from '../output.ts'
import { serverOf } from '../server.ts'
import { type ExplainRequestBody, readExplainRequest, requestFlags, stillWorldFlags } from './request-flags.ts'

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
