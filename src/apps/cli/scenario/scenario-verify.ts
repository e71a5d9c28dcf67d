/** `mfano scenario verify`: fails unless every rule, fault and rail entry of the scenario has fired. */
import type { Hits } from '../../../client/control-answers.ts'
import {
  type Arguments,
  CLEAN,
  type CliCommand,
  formatFlags,
  formatOf,
  PROBLEMS,
  urlFlag,
  worldFlag,
} from '../command.ts'
import type { Output } from '../output.ts'
import { serverOf } from '../server.ts'
import { hint } from '../words.ts'

const formats = ['text', 'json'] as const
const TOLD = 5

export const scenarioVerifyCommand: CliCommand = {
  name: 'verify',
  summary: 'Fail if a rule or fault never fired.',
  about: 'Use it at the end of a CI job. Rules that the scenario inherits do not count.',
  exits: { 0: 'all fired', 1: 'some never fired' },
  flags: [
    { name: 'all', help: `List everything that never fired, not only the first ${TOLD}.` },
    urlFlag,
    worldFlag,
    ...formatFlags(formats),
  ],
  examples: [
    'mfano scenario verify --url http://localhost:8080',
    'mfano scenario verify --url http://localhost:8080 --world test-1 --format json',
  ],
  run: async (given, output) => {
    const hits = await serverOf(given).control('GET', '/scenario/hits')
    if (formatOf(given) === 'json') output.out(`${JSON.stringify(hits, null, 2)}\n`)
    else output.out(asText(hits, output, given))
    return hits.neverFired.length === 0 ? CLEAN : PROBLEMS
  },
}

function asText({ scenario, rules, faults, rails, neverFired }: Hits, { paint }: Output, given: Arguments): string {
  const ownOf = (list: readonly { inherited: boolean }[]) => list.filter(({ inherited }) => !inherited).length
  const own = ownOf(rules) + ownOf(faults) + ownOf(rails)
  const words = ['rules', ownOf(faults) > 0 && 'faults', ownOf(rails) > 0 && 'rails'].filter(Boolean)
  const what = words.length === 3 ? 'rules, faults and rails' : words.join(' and ')
  if (neverFired.length === 0) {
    const all = own === 0 ? `${scenario} has no rules of its own` : `all ${own} ${what} of ${scenario} fired`
    return `${paint('green', 'ok')}: ${all}\n`
  }
  const told = given.has('all') ? neverFired : neverFired.slice(0, TOLD)
  const lines = told.flatMap(({ rule, file, line, nearest, why }) => {
    const never = `${file}:${line}: ${paint('red', 'never fired')}: ${rule}`
    if (!nearest) return [never, `  ${why}`]
    const found =
      nearest.payment === undefined
        ? ['request', nearest.requestId, nearest.operation].filter(Boolean).join(' ')
        : `payment ${nearest.payment}`
    const by = nearest.decidedBy === null ? '' : `, decided by "${nearest.decidedBy}"`
    const shown = JSON.stringify(nearest.request)
    return [
      never,
      `  came nearest: ${found}${by}`,
      `  ${shown.length > 300 ? `${shown.slice(0, 299)}…` : shown}`,
      ...(nearest.held.length > 0 ? [`  true: ${nearest.held.join(' && ')}`] : []),
      `  but: ${why}`,
    ]
  })
  const more = neverFired.length - told.length
  const rest = more === 0 ? '' : `and ${more} more: ${hint('scenario verify --all', given)}\n`
  return `${lines.join('\n')}\n${rest}${neverFired.length} of ${own} ${what} of ${scenario} never fired\n`
}
