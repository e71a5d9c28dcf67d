/** Routes: the outbox. */
import { Hono } from 'hono'
import * as z from 'zod'
import { fileAddresses } from '../../core/held-addresses.ts'
import { type Callback, callbackStates } from '../../core/model/callback.ts'
import { Refusal } from '../../core/model/refusal.ts'
import { secretText } from '../../core/sign.ts'
import type { World } from '../../core/world.ts'
import { nearestMiss } from '../../inspect/near-miss.ts'
import { callbackDetail, callbackSummary } from '../../inspect/present.ts'
import { search, searchTexts, toQuery } from '../../inspect/search.ts'
import { about } from './about.ts'
import { httpAddress } from './callback-fields.ts'
import { asks, type ControlEnv, json, takes } from './control-context.ts'
import { asCsv, csv, listFormat } from './csv-answer.ts'
import { instant } from './time-fields.ts'

const list = z.strictObject({
  /** What became of it. */
  state: z.enum(callbackStates, `must be one of ${callbackStates.join(', ')}`).optional(),
  /** The uuid of what it tells of. */
  payment: z.string().optional(),
  /** Part of its body or address, or of its payment, whatever the case; a phone number in any spelling. */
  search: z.string().min(1).max(200).optional(),
  /** At most so many. */
  limit: z.coerce
    .number()
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(1000, 'must be at most 1000')
    .default(100),
  /** `next` of the page before. */
  before: z.coerce.number().int('must be a whole number').optional(),
  /** When it was written, in simulated time; both are in. */
  since: instant.optional(),
  /** Up to when it was written, in simulated time. */
  until: instant.optional(),
  /** CEL over the callback, its body and its payment. */
  where: z.string().optional(),
  ...listFormat,
})

const release = z.strictObject({
  /** The address that it was for, by scheme, host and port; all that are held without. */
  from: httpAddress.optional(),
  /** Where it goes instead: what stands behind the host is kept. */
  to: httpAddress.optional(),
})

/** The outbox, with attempts. */
export function callbackRoutes() {
  return new Hono<ControlEnv>()
    .get(
      '/_mfano/callbacks',
      about('The outbox: callbacks, the newest first', {
        errors: ['404 NOT_FOUND', '400 INVALID_EXPRESSION'],
        answers: asCsv,
      }),
      csv('callbacks'),
      asks(list),
      async (c) => {
        const { limit, before, search: text, format: _, ...asked } = c.req.valid('query')
        const { payment: uuid } = asked
        const { world } = c.env
        const { core } = world
        const payment = uuid === undefined ? undefined : core.store.payments.byUuid(uuid.toLowerCase())
        if (uuid !== undefined && !payment)
          throw new Refusal('NOT_FOUND', `payment: no payment has the uuid "${uuid.slice(0, 80)}"`, {
            status: 404,
            message: 'Not found',
          })
        const wanted = toQuery(c.env.service, 'callback', { ...asked, payment: payment?.uuid })
        const texts = text === undefined ? undefined : searchTexts(c.env.service.countries, text)
        const stretch = { ...wanted.stretch, before, texts }
        const { found, more } = await search(world, { ...wanted, stretch }, { newestFirst: true, limit })
        const missed = found.length === 0 && more === null && asked.where !== undefined && before === undefined
        return json(c, {
          counts: core.store.callbacks.counts(),
          next: more,
          callbacks: found.map(({ context }) => callbackSummary(core, context.seen.callback as Callback)),
          ...(missed && nearestMiss(world, wanted)),
        })
      },
    )

    .get('/_mfano/callbacks/held', about('Addresses that a world file brought, with what is held for each'), (c) =>
      json(c, fileAddresses(c.env.world.core)),
    )

    .post(
      '/_mfano/callbacks/release',
      about('Say where callbacks go whose addresses a world file brought', { errors: ['404 RESOURCE_NOT_FOUND'] }),
      takes(release),
      async (c) => {
        const { released } = await c.env.world.perform({ command: 'release-callbacks', ...c.req.valid('json') })
        return json(c, { released, ...fileAddresses(c.env.world.core) })
      },
    )

    .get('/_mfano/callbacks/secret', about('The secret that callbacks are signed with'), (c) =>
      json(c, { secret: secretText(c.env.world.callbackSecrets.now) }),
    )

    .get(
      '/_mfano/callbacks/:id',
      about('One callback with every attempt', {
        path: { id: 'A callback: its number, or the uid that receivers see.' },
        errors: ['404 NOT_FOUND'],
      }),
      (c) => json(c, callbackDetail(c.env.world.core, find(c.env.world, c.req.param('id')))),
    )

    .post(
      '/_mfano/callbacks/:id/redeliver',
      about('Send a callback again, besides the attempts that are planned for it', {
        path: { id: 'A callback: its number, or the uid that receivers see.' },
        errors: ['404 NOT_FOUND'],
      }),
      async (c) => {
        const { world } = c.env
        const callback = await world.perform({ command: 'redeliver', callbackId: find(world, c.req.param('id')).id })
        return json(c, callbackDetail(world.core, callback))
      },
    )
}

/** By number, or by the uid that receivers see. */
function find(world: World, id: string): Callback {
  const { callbacks } = world.core.store
  const found = /^\d{1,15}$/.test(id) ? callbacks.byId(Number(id)) : callbacks.byUid(id)
  if (!found)
    throw new Refusal('NOT_FOUND', `no callback has the id "${id.slice(0, 80)}"; GET /_mfano/callbacks lists them`, {
      status: 404,
      message: 'Not found',
    })
  return found
}
