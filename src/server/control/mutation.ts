import * as z from 'zod'
import { changeSchema } from '../../core/presentation.ts'
import { shape } from '../../inspect/view.ts'
import { controlOperation } from './declared-operation.ts'

const mutation = z.strictObject({
  in: z.enum(['answer', 'callback']).describe('The message that tells it.'),
  of: z.string().describe('The id of an operation, or a kind of payment.'),
  at: z.string().max(500).describe('The way to the field in the body, such as `data.amount`.'),
  change: changeSchema.describe('How it is told instead.'),
})

export const mutationOperations = [
  controlOperation('mutation.set', 'PUT /mutation', {
    summary: 'Change one field of answers or callbacks',
    internal: true,
    body: mutation,
    answer: () => mutation,
    run({ world, body: wanted }) {
      world.presentation.mutation = wanted
      return wanted
    },
  }),
  controlOperation('mutation.clear', 'DELETE /mutation', {
    summary: 'Stop changing answers and callbacks',
    internal: true,
    answer: () => z.object({ removed: z.boolean() }),
    run({ world }) {
      world.presentation.mutation = undefined
      return { removed: true }
    },
  }),
  controlOperation('told.note', 'POST /told', {
    summary: 'Start to record answers and callbacks',
    internal: true,
    answer: () => z.object({ listening: z.boolean() }),
    run({ world }) {
      world.presentation.listen()
      return { listening: true }
    },
  }),
  controlOperation('told.list', 'GET /told', {
    summary: 'List recorded answers and callbacks',
    internal: true,
    answer: () => z.object({ told: z.array(toldShape()) }),
    run: ({ world }) => ({ told: world.presentation.told }),
  }),
] as const

const toldShape = shape('Told', () =>
  z.object({
    in: z.enum(['answer', 'callback']),
    of: z.string(),
    method: z.string().describe('HTTP method of the request, for answers.').optional(),
    bodies: z.array(z.unknown()),
    signed: z.boolean().describe('True if the callback was signed; left out for answers.').optional(),
  }),
)
