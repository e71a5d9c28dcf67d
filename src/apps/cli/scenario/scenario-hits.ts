/** `mfano scenario hits`: shows how often each rule and fault of a running world fired. */
import type { Hits } from '../../../client/control-answers.ts'
import { serverCommand } from '../server.ts'
import { type TableColumn, table } from '../table.ts'
import { count, hint } from '../words.ts'

type Counted = Pick<Hits['rules'][number], 'hits' | 'rule' | 'on' | 'when' | 'nth'>

const columns: readonly TableColumn<Counted>[] = [
  { title: 'HITS', of: ({ hits }) => hits, right: true },
  { title: 'RULE', of: ({ rule }) => rule, least: 24 },
  { title: 'ON', of: ({ on }) => on.join(', '), least: 12, spare: 1 },
  { title: 'WHEN', of: ({ when }) => when, least: 16, spare: 2 },
  { title: 'NTH', of: ({ nth }) => nth, spare: 3 },
]

export const hitsCommand = serverCommand({
  name: 'hits',
  summary: 'Count how often each rule and fault fired.',
  flags: [{ name: 'all', help: 'Also list those that never fired.' }],
  examples: ['mfano scenario hits', 'mfano scenario hits --all --world test-1'],
  csv: () => ({ list: '/scenario/hits' }),
  ask: ({ control }) => control('GET', '/scenario/hits'),
  show: ({ scenario, rules, rails, faults }, output, given) => {
    const known: Counted[] = [
      ...rules,
      ...rails.map((one) => ({ rule: `${one.rail} (${one.sort})`, when: null, nth: null, ...one })),
      ...faults.map((one) => ({ rule: one.fault, ...one })),
    ].toSorted((a, b) => b.hits - a.hits)
    const shown = known.filter(({ hits }) => hits > 0 || given.has('all'))
    const idle = known.length - shown.length
    const rest = `${count(idle, 'rule')} of ${scenario} never fired: ${hint('scenario hits --all', given)}\n`
    return `${shown.length === 0 ? '' : table(shown, columns, output)}${idle === 0 ? '' : rest}`
  },
})
