import type { explain, Question } from '../../control/explain.ts'
import { type Arguments, CLEAN, type Command, formatFlags, formatOf, UsageError } from '../command.ts'
import type { Output } from '../output.ts'
import { serverOf, urlFlag, worldFlag } from '../server.ts'
import { questionFlags, readQuestion, stillWorldFlags } from './question.ts'

const formats = ['text', 'json'] as const
type Explanation = Pick<ReturnType<typeof explain>, 'rule' | 'refuse' | 'plan' | 'trace'>

/** `mfano scenario explain`: which rule decides, and why each one before it does not. */
export const explainCommand: Command = {
  name: 'explain',
  words: '[FILE]',
  count: [0, 1],
  names: ['scenarios'],
  summary: 'Says which rule decides a request, and why each rule before it does not.',
  flags: [...questionFlags, ...stillWorldFlags, urlFlag, worldFlag, ...formatFlags(formats)],
  examples: [
    `mfano scenario explain tzs-minimum --on send-money --request '{"amount":500,"currencyCode":"TZS"}'`,
    `mfano scenario explain month-end.yaml --on till --request @request.json --at 2025-01-31T17:00:00`,
    `mfano scenario explain --url http://localhost:8080 --world shop --on till --request '{"businessNumber":"000404"}'`,
  ],
  run: async (given, output) => {
    const asked = await readQuestion(given)
    const elsewhere = given.words.length === 0
    if (!elsewhere && ['url', 'world'].some((flag) => given.has(flag)))
      throw new UsageError('Expected either a FILE, or --url and --world for a world that runs.')
    if (elsewhere && stillWorldFlags.some(({ name }) => given.has(name)))
      throw new UsageError('--set, --at and --seed are for a FILE; a running world has its own.')
    const explanation = elsewhere
      ? await serverOf(given).ask<Explanation>('POST', '/scenario/explain', { body: asked })
      : await explainHere(given, asked)
    if (formatOf(given) === 'json') output.out(`${JSON.stringify(explanation, null, 2)}\n`)
    else output.out(asText(explanation, output))
    return CLEAN
  },
}

async function explainHere(given: Arguments, asked: Question): Promise<Explanation> {
  const [{ explain }, { inStillWorld }] = await Promise.all([
    import('../../control/explain.ts'),
    import('./still-world.ts'),
  ])
  return inStillWorld(given, (world) => explain(world, asked))
}

function asText({ rule, refuse, plan, trace }: Explanation, { paint }: Output): string {
  const asked = trace.filter(({ outcome }) => outcome !== 'not asked')
  const width = Math.min(60, Math.max(0, ...asked.map((line) => line.rule.length)))
  const lines = asked.map((line) => {
    const mark = line.outcome === 'decided' ? '=>' : '  '
    return paint(
      line.outcome === 'decided' ? 'green' : 'dim',
      `${mark} ${line.rule.padEnd(width)}  ${line.outcome === 'decided' ? 'decides: ' : ''}${line.why}`,
    )
  })
  const decided = trace.find(({ outcome }) => outcome === 'decided')
  if (!decided) lines.push(`No rule decides it: ${rule ?? '(no rule)'}`)
  if (decided && refuse && decided.rule !== rule)
    lines.push(`=> then ${rule} refuses it: ${refuse.status} ${refuse.code}`)
  for (const name of plan?.rails ?? []) lines.push(`=> then ${name} changes how it ends: ${plan?.end}`)
  const behind = trace.length - asked.length
  if (decided && behind > 0)
    lines.push(`   ${behind} ${behind === 1 ? 'rule' : 'rules'} behind it ${behind === 1 ? 'was' : 'were'} not asked`)
  return `${lines.join('\n')}\n`
}
