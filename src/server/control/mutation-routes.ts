/** Routes: what a world tells merchants otherwise than it is. */
import { Hono } from 'hono'
import * as z from 'zod'
import { about } from './about.ts'
import { type ControlEnv, json, takes } from './control-context.ts'

const change = z.union([
  z.strictObject({ multiply: z.number() }),
  z.strictObject({ anotherOf: z.array(z.unknown()).min(1) }),
  z.strictObject({ map: z.record(z.string(), z.unknown()) }),
  z.strictObject({ remove: z.literal(true) }),
  z.strictObject({ reverse: z.literal(true) }),
  z.strictObject({ signature: z.literal('wrong') }),
])

const mutation = z.strictObject({
  /** Where it is told. */
  in: z.enum(['answer', 'callback'], 'must be one of answer, callback'),
  /** The id of an operation, or a kind of payment. */
  of: z.string(),
  /** The way to the field in the body, such as `data.amount`. */
  at: z.string().max(500),
  /** How it is told instead. */
  change,
})

/** One field of an answer or a callback that is told otherwise, for as long as the world is open; and what was told. */
export function mutationRoutes() {
  return new Hono<ControlEnv>()
    .put('/_mfano/mutation', about('Tell one field otherwise than it is'), takes(mutation), (c) => {
      const wanted = c.req.valid('json')
      c.env.world.presentation.mutation = wanted
      return json(c, wanted)
    })

    .delete('/_mfano/mutation', about('Tell everything as it is again'), (c) => {
      c.env.world.presentation.mutation = undefined
      return json(c, { removed: true })
    })

    .post('/_mfano/told', about('Begin to note what is told'), (c) => {
      c.env.world.presentation.listen()
      return json(c, { listening: true })
    })

    .get('/_mfano/told', about('What was told since'), (c) => json(c, { told: c.env.world.presentation.told }))
}
