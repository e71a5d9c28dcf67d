import type { Hono } from 'hono'
import { z } from 'zod'
import { type ControlEnv, json, query } from './kit.ts'
import { requestEntry } from './present.ts'

const list = z.strictObject({
  operation: z.string().optional(),
  status: z.coerce.number().int('must be a whole number').optional(),
  method: z.string().toUpperCase().optional(),
  /** From the answer's Mfano-Request-Id header. */
  requestId: z.string().optional(),
  order: z.enum(['newest-first', 'oldest-first'], 'must be newest-first or oldest-first').default('newest-first'),
  limit: z.coerce
    .number()
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(1000, 'must be at most 1000')
    .default(100),
  /** `next` of the page before. */
  from: z.coerce.number().int('must be a whole number').optional(),
})

/** The journal: every request to the service and its answer, secrets masked. */
export function requestRoutes(app: Hono<ControlEnv>): void {
  app.get('/_mfano/requests', (c) => {
    const { operation, status, method, requestId, order, limit, from } = query(c, list)
    const { world } = c.env
    const newestFirst = order === 'newest-first'
    const entries =
      requestId === undefined
        ? world.core.store.journal.page({
            limit,
            newestFirst,
            ...(operation && { operation }),
            ...(status !== undefined && { status }),
            ...(method && { method }),
            ...(from !== undefined && (newestFirst ? { before: from } : { after: from })),
          })
        : [world.core.store.journal.byRequestId(requestId) ?? []].flat()
    return json(c, {
      next: requestId === undefined && entries.length === limit ? (entries.at(-1)?.seq ?? null) : null,
      requests: entries.map((entry) => requestEntry(world.core, entry)),
    })
  })

  app.delete('/_mfano/requests', async (c) => {
    const { world } = c.env
    await world.commit.submit(() => world.core.store.journal.clear())
    return json(c, { cleared: true })
  })
}
