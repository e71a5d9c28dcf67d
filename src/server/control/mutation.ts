import * as z from 'zod'
import { changeSchema } from '../../core/presentation.ts'
import { internalOperation } from './declared-operation.ts'

/** `of`: the id of an operation, or a kind of payment. `at`: the way to the field in the body, such as `data.amount`. */
const mutation = z.strictObject({
  in: z.enum(['answer', 'callback']),
  of: z.string(),
  at: z.string().max(500),
  change: changeSchema,
})

/** `mfano mutants` changes what is told, and explore notes it. */
export const mutationOperations = [
  internalOperation('mutation.set', 'PUT /mutation', {
    body: mutation,
    run({ world, body: wanted }) {
      world.presentation.mutation = wanted
      return wanted
    },
  }),
  internalOperation('told.note', 'POST /told', {
    run({ world }) {
      world.presentation.listen()
      return { listening: true }
    },
  }),
  internalOperation('told.list', 'GET /told', { run: ({ world }) => ({ told: world.presentation.told }) }),
] as const
