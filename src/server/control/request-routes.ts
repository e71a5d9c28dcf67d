/** Routes: the journal. */
import { Hono } from 'hono'
import * as z from 'zod'
import { didYouMean } from '../../core/model/did-you-mean.ts'
import type { JournalEntry } from '../../core/model/journal.ts'
import { isoInstant } from '../../core/model/time.ts'
import { requestOf } from '../../core/response-faults.ts'
import type { World } from '../../core/world.ts'
import { nearestMiss } from '../../inspect/near-miss.ts'
import { requestEntry } from '../../inspect/present.ts'
import { search, searchTexts, toQuery } from '../../inspect/search.ts'
import { about } from './about.ts'
import { asks, type ControlEnv, json } from './control-context.ts'
import { asCsv, csv, listFormat } from './csv-answer.ts'
import { instant } from './time-fields.ts'

/** So many requests with unread fields are summed up. */
const SUMMED = 10_000

const flag = z.enum(['true', 'false'], 'must be true or false').transform((text) => text === 'true')
const list = z.strictObject({
  /** By its id in the contract. */
  operation: z.string().optional(),
  /** The HTTP status that was answered. */
  status: z.coerce.number().int('must be a whole number').optional(),
  /** The HTTP method. */
  method: z.string().toUpperCase().optional(),
  /** Without its query. */
  path: z.string().optional(),
  /** From the answer's Mfano-Request-Id header. */
  requestId: z.string().optional(),
  /** The scenario's rule that decided. */
  rule: z.string().optional(),
  /** Part of its path, body or answer, whatever the case; a phone number in any spelling. */
  search: z.string().min(1).max(200).optional(),
  /** Only those that were turned away. */
  refused: flag.optional(),
  /** Simulated time; both are in. */
  since: instant.optional(),
  /** Up to when, in simulated time; both are in. */
  until: instant.optional(),
  /** CEL over the request and its payment. */
  where: z.string().optional(),
  /** Only those with fields that nobody read. */
  unread: flag.optional(),
  /** By when they came. */
  order: z.enum(['newest-first', 'oldest-first'], 'must be newest-first or oldest-first').default('newest-first'),
  /** At most so many. */
  limit: z.coerce
    .number()
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(1000, 'must be at most 1000')
    .default(100),
  /** `next` of the page before. */
  from: z.coerce.number().int('must be a whole number').optional(),
  ...listFormat,
})

/** The journal: every request to the service and its answer, secrets masked. */
export function requestRoutes() {
  return new Hono<ControlEnv>()
    .get(
      '/_mfano/requests',
      about('The journal: requests to the service with their answers, secrets masked', {
        errors: ['400 INVALID_EXPRESSION'],
        answers: asCsv,
      }),
      csv('requests', undefined, 'from'),
      asks(list),
      async (c) => {
        const { order, limit, from, search: text, format: _, ...asked } = c.req.valid('query')
        const { world } = c.env
        const newestFirst = order === 'newest-first'
        const wanted = toQuery(c.env.service, 'request', asked)
        const texts = text === undefined ? undefined : searchTexts(c.env.service.countries, text)
        const stretch = { ...wanted.stretch, texts, ...(newestFirst ? { before: from } : { after: from }) }
        const { found, more } = await search(world, { ...wanted, stretch }, { newestFirst, limit })
        const missed = found.length === 0 && more === null && wanted.predicate && from === undefined
        return json(c, {
          next: more,
          requests: found.map(({ context }) => requestEntry(world.core, context.seen.entry as JournalEntry)),
          ...(missed && nearestMiss(world, wanted)),
        })
      },
    )

    .get('/_mfano/requests/open', about('How many requests are under way'), (c) => {
      const { open, begun } = c.env.world.traffic
      return json(c, {
        /** Under way now: not answered yet, or only in part. */
        open,
        /** All that came since the world was opened. */
        begun,
      })
    })

    .get('/_mfano/requests/unread', about('Fields of requests that nobody read'), async (c) =>
      json(c, { fields: await unreadFields(c.env.world) }),
    )

    .delete('/_mfano/requests', about('Empty the journal'), async (c) => {
      return json(c, await c.env.world.perform({ command: 'clear-journal' }))
    })
}

/** The fields that nobody read, most often sent first, each with the known field that was perhaps meant. */
async function unreadFields(world: World) {
  const { found } = await search(world, toQuery(world.core.service, 'request', { unread: true }), {
    newestFirst: true,
    limit: SUMMED,
  })
  const fields = new Map<string, { operation: string | null; field: string; times: number; latest: JournalEntry }>()
  for (const { context } of found) {
    const latest = context.seen.entry as JournalEntry
    for (const field of latest.notes?.unread ?? []) {
      const key = `${latest.operation} ${field}`
      const counted = fields.get(key) ?? { operation: latest.operation, field, times: 0, latest }
      fields.set(key, { ...counted, times: counted.times + 1 })
    }
  }
  const { operations } = world.core.service
  return [...fields.values()]
    .sort((a, b) => b.times - a.times)
    .map(({ operation, field, times, latest }) => {
      const known = operations.find(({ id }) => id === operation)
      return {
        operation,
        field,
        times,
        latest: { requestId: latest.requestId, at: isoInstant(latest.atUs) },
        hint: didYouMean(field.replace(/^\?/, ''), known ? Object.keys(requestOf(known).fields) : []).trim() || null,
      }
    })
}
