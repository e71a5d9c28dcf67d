/** Operations: what a world tells merchants otherwise than it is. */
import * as z from 'zod'
import { controlOperation } from '../declared-operation.ts'
import { toldShape } from './mutation-answers.ts'

const change = z.union([
  z.strictObject({ multiply: z.number() }),
  z.strictObject({ anotherOf: z.array(z.unknown()).min(1) }),
  z.strictObject({ map: z.record(z.string(), z.unknown()) }),
  z.strictObject({ remove: z.literal(true) }),
  z.strictObject({ reverse: z.literal(true) }),
  z.strictObject({ signature: z.literal('wrong') }),
])

const mutation = z.strictObject({
  in: z.enum(['answer', 'callback'], 'must be one of answer, callback').describe('Where it is told.'),
  of: z.string().describe('The id of an operation, or a kind of payment.'),
  at: z.string().max(500).describe('The way to the field in the body, such as `data.amount`.'),
  change: change.describe('How it is told instead.'),
})

const setMutation = controlOperation('mutation.set', {
  method: 'PUT',
  path: '/mutation',
  summary: 'Tell one field otherwise than it is',
  body: mutation,
  answer: () =>
    z.object({
      in: z.enum(['answer', 'callback']).describe('Where it is told.'),
      of: z.string().describe('The id of an operation, or a kind of payment.'),
      at: z.string().describe('The way to the field in the body, such as `data.amount`.'),
      change: z
        .union([
          z.object({ multiply: z.number() }),
          z.object({ anotherOf: z.array(z.unknown()) }),
          z.object({ map: z.record(z.string(), z.unknown()) }),
          z.object({ remove: z.literal(true) }),
          z.object({ reverse: z.literal(true) }),
          z.object({ signature: z.literal('wrong') }),
        ])
        .describe('How it is told instead.'),
    }),
  run(c, { body: wanted }) {
    c.env.world.presentation.mutation = wanted
    return wanted
  },
})

const clearMutation = controlOperation('mutation.clear', {
  method: 'DELETE',
  path: '/mutation',
  summary: 'Tell everything as it is again',
  answer: () => z.object({ removed: z.boolean() }),
  run(c) {
    c.env.world.presentation.mutation = undefined
    return { removed: true }
  },
})

const noteTold = controlOperation('told.note', {
  method: 'POST',
  path: '/told',
  summary: 'Begin to note what is told',
  answer: () => z.object({ listening: z.boolean() }),
  run(c) {
    c.env.world.presentation.listen()
    return { listening: true }
  },
})

const listTold = controlOperation('told.list', {
  method: 'GET',
  path: '/told',
  summary: 'What was told since',
  answer: () => z.object({ told: z.array(toldShape()) }),
  run: (c) => ({ told: c.env.world.presentation.told }),
})

export const mutationOperations = [setMutation, clearMutation, noteTold, listTold] as const
