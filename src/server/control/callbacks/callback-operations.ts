/** Operations on the outbox. */

import * as z from 'zod'
import { inSteps } from '../../../core/host.ts'
import { type Callback, callbackStates } from '../../../core/model/callback.ts'
import { hintOf } from '../../../core/model/hint.ts'
import { must } from '../../../core/model/must.ts'
import { Refusal } from '../../../core/model/refusal.ts'
import { secretText } from '../../../core/sign.ts'
import type { World } from '../../../core/world.ts'
import { nearestMiss } from '../../../inspect/near-miss.ts'
import { callbackDetail, callbackSummary } from '../../../inspect/present.ts'
import { search, searchTexts, toQuery } from '../../../inspect/search.ts'
import { paymentsService } from '../../../service/service.ts'
import { controlOperation } from '../declared-operation.ts'
import { listLimit, pageBefore, searched } from '../list-fields.ts'
import { nearestShape } from '../questions/question-answers.ts'
import { instant } from '../time-fields.ts'
import { callbackCountsShape, callbackDetailShape, callbackSummaryShape } from './callback-answers.ts'

const list = z.strictObject({
  state: z
    .enum(callbackStates, `must be one of ${callbackStates.join(', ')}`)
    .optional()
    .describe('What became of it.'),
  payment: z.string().optional().describe('The uuid of what it tells of.'),
  search: searched(
    'Part of its body or address, or of its payment, whatever the case; a phone number in any spelling.',
  ),
  limit: listLimit,
  before: pageBefore,
  since: instant.optional().describe('When it was written, in simulated time; both are in.'),
  until: instant.optional().describe('Up to when it was written, in simulated time.'),
  where: z.string().optional().describe('CEL over the callback, its body and its payment.'),
})

const listCallbacks = controlOperation('callback.list', {
  method: 'GET',
  path: '/callbacks',
  summary: 'List callbacks, newest first',
  query: list,
  answer: () =>
    z.object({
      counts: callbackCountsShape(),
      next: z.number().nullable(),
      callbacks: z.array(callbackSummaryShape()),
      nearest: nearestShape().optional(),
      why: z.string().optional(),
    }),
  errors: ['NOT_FOUND', 'INVALID_EXPRESSION'],
  list: {
    name: 'callbacks',
    columns: [
      'id',
      'uid',
      'topic',
      'payment',
      'about.referenceId',
      'about.amount',
      'about.currency',
      'tells',
      'url',
      'state',
      'attempts',
      'lastAttempt.status',
      'lastAttempt.error',
      'createdAt',
      'settledAt',
      'nextAttemptAt',
      'fault.rule',
      'fault.does',
      'heldFor',
      'body',
    ],
    rows: ({ callbacks }) => callbacks,
  },
  async run(c, { query }) {
    const { limit, before, search: text, ...asked } = query
    const { payment: uuid } = asked
    const { world } = c.env
    const { core } = world
    const payment = uuid === undefined ? undefined : core.store.payments.byUuid(uuid.toLowerCase())
    if (uuid !== undefined && !payment)
      throw new Refusal('NOT_FOUND', `payment: no payment has the uuid "${uuid.slice(0, 80)}"`)
    const wanted = toQuery(paymentsService, 'callback', { ...asked, payment: payment?.uuid })
    const texts = text === undefined ? undefined : searchTexts(paymentsService.countries, text)
    const stretch = { ...wanted.stretch, before, texts }
    const { found, more } = await search(world, { ...wanted, stretch }, { newestFirst: true, limit })
    const missed = found.length === 0 && more === null && asked.where !== undefined && before === undefined
    const { counts } = await inSteps(world.host, core.store.callbacks.counting(), c.req.raw.signal)
    return {
      counts,
      next: more,
      callbacks: found.map(({ context }) => callbackSummary(core, must(context.seen.callback))),
      ...(missed && nearestMiss(world, wanted)),
    }
  },
})

const resumeCallbacks = controlOperation('callback.resume', {
  method: 'POST',
  path: '/callbacks/resume',
  summary: 'Resume the callbacks of an imported world',
  description: 'An imported world sends none before that. Callbacks that became due meanwhile are sent now.',
  answer: () =>
    z.object({
      resumed: z.boolean().describe('false: they were not paused.'),
      pending: z.number().describe('Callbacks that are sent now or later.'),
    }),
  async run(c) {
    const { world } = c.env
    const { resumed } = await world.perform({ command: 'resume-callbacks' })
    const { counts } = await inSteps(world.host, world.core.store.callbacks.counting())
    return { resumed, pending: counts.pending + counts.held }
  },
})

const readCallbackSecret = controlOperation('callback.secret', {
  method: 'GET',
  path: '/callbacks/secret',
  summary: 'Get the secret that signs callbacks',
  answer: () => z.object({ secret: z.string() }),
  run: (c) => ({ secret: secretText(c.env.world.callbackSecrets.now) }),
})

const readCallback = controlOperation('callback.show', {
  method: 'GET',
  path: '/callbacks/:id',
  summary: 'Show one callback with every attempt',
  params: { id: 'A callback: its number, or the uid that receivers see.' },
  answer: callbackDetailShape,
  errors: ['NOT_FOUND'],
  run: (c, { params }) => callbackDetail(c.env.world.core, find(c.env.world, params.id)),
})

const redeliverCallback = controlOperation('callback.redeliver', {
  method: 'POST',
  path: '/callbacks/:id/redeliver',
  summary: 'Send a callback again',
  params: { id: 'A callback: its number, or the uid that receivers see.' },
  answer: callbackDetailShape,
  errors: ['NOT_FOUND'],
  async run(c, { params }) {
    const { world } = c.env
    const callback = await world.perform({ command: 'redeliver', callbackId: find(world, params.id).id })
    return callbackDetail(world.core, callback)
  },
})

function find(world: World, id: string): Callback {
  const { callbacks } = world.core.store
  const found = /^\d{1,15}$/.test(id) ? callbacks.byId(Number(id)) : callbacks.byUid(id)
  if (!found)
    throw new Refusal('NOT_FOUND', `no callback has the id "${id.slice(0, 80)}";`, {
      hints: [hintOf('{} lists them', 'callback.list')],
    })
  return found
}

export const callbackOperations = [
  listCallbacks,
  resumeCallbacks,
  readCallbackSecret,
  readCallback,
  redeliverCallback,
] as const
