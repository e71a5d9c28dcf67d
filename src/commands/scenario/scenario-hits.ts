/** The command `mfano scenario hits`. */
import type { Hits } from '../../client/control-answers.ts'
import { serverCommand } from '../server.ts'
import { type Column, table } from '../table.ts'
import { count, hint } from '../words.ts'

const columns: readonly Column<Hits['rules'][number]>[] = [
  { title: 'HITS', of: ({ hits }) => hits, right: true },
  { title: 'RULE', of: ({ rule }) => rule, least: 24 },
  { title: 'ON', of: ({ on }) => on.join(', '), least: 12, spare: 1 },
  { title: 'WHEN', of: ({ when }) => when, least: 16, spare: 2 },
]

/** `mfano scenario hits`: how often each rule and fault of a running world fired, the busiest first. */
export const hitsCommand = serverCommand({
  name: 'hits',
  words: '',
  count: [0, 0],
  summary: 'Says how often each rule and fault of a running world fired.',
  flags: [{ name: 'all', help: 'Those that never fired, too.' }],
  examples: ['mfano scenario hits', 'mfano scenario hits --all --world test-1'],
  ask: ({ control }) => control('GET', '/scenario/hits'),
  show: ({ scenario, rules, faults }, output, given) => {
    const known = [...rules, ...faults].toSorted((a, b) => b.hits - a.hits)
    const shown = known.filter(({ hits }) => hits > 0 || given.has('all'))
    const idle = known.length - shown.length
    const rest = `${count(idle, 'rule')} of ${scenario} never fired: ${hint('scenario hits --all', given)}\n`
    return `${shown.length === 0 ? '' : table(shown, columns, output)}${idle === 0 ? '' : rest}`
  },
})
