/** Operations that report which rules and faults fired. */
import * as z from 'zod'
import { hits } from '../../../inspect/rule-hits.ts'
import { type AnswerOf, controlOperation } from '../declared-operation.ts'
import { hitsShape } from './scenario-answers.ts'

const readHits = controlOperation('hits.list', {
  method: 'GET',
  path: '/scenario/hits',
  summary: 'Count hits of rules and faults',
  answer: hitsShape,
  list: {
    name: 'hits',
    columns: ['what', 'name', 'hits', 'on', 'when', 'nth', 'file', 'line', 'inherited'],
    rows: hitRows,
  },
  run: (c) => hits(c.env.world),
})

const clearHits = controlOperation('hits.clear', {
  method: 'DELETE',
  path: '/scenario/hits',
  summary: 'Reset the counts of hits',
  answer: () => z.object({ cleared: z.literal(true) }),
  run: (c) => c.env.world.perform({ command: 'clear-hits' }),
})

function hitRows({ rules, rails, faults }: AnswerOf<typeof hitsShape>) {
  return [
    ...rules.map(({ rule, ...one }) => ({ what: 'rule', name: rule, ...one })),
    ...rails.map(({ rail, sort, ...one }) => ({ what: sort, name: rail, when: null, nth: null, ...one })),
    ...faults.map(({ fault, ...one }) => ({ what: 'fault', name: fault, ...one })),
  ].sort((a, b) => b.hits - a.hits)
}

export const hitOperations = [readHits, clearHits] as const
