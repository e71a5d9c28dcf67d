/** The callbacks of a run: delivered, retried, given up, and faults on purpose. */

import * as z from 'zod'
import { type Callback, callbackStates } from '../../core/model/callback.ts'
import { describeCallbackFault, mayBeRefused } from '../../core/model/callback-fault.ts'
import type { RunSpan } from '../../core/model/journal.ts'
import { maskPath } from '../../core/model/mask.ts'
import { recordFor } from '../../core/model/must.ts'
import type { World } from '../../core/world.ts'
import { every } from '../search.ts'
import { type AnswerOf, shape } from '../view.ts'

const NAMED = 200

export const toldAddressShape = shape('ToldAddress', () =>
  z.object({
    url: z.string(),
    callbacks: z.number(),
    delivered: z.number(),
    givenUp: z.number().describe('Given up, though nothing in the scenario wanted that.'),
    attempts: z.number(),
  }),
)
type ToldAddress = AnswerOf<typeof toldAddressShape>

export const givenUpShape = shape('GivenUp', () =>
  z.object({
    id: z.number(),
    payment: z.string().nullable().describe("The payment's uuid; null where it tells of none."),
    referenceId: z.string().nullable(),
    url: z.string(),
    attempts: z.number(),
    error: z.string().nullable().describe('Why the last attempt did not count, and the cause.'),
    why: z.string().nullable(),
    todo: z.string().nullable(),
  }),
)
export type GivenUp = AnswerOf<typeof givenUpShape>

export const toldFaultShape = shape('ToldFault', () =>
  z.object({ rule: z.string().describe('The rule or fault of the scenario.'), does: z.string(), count: z.number() }),
)
type ToldFault = AnswerOf<typeof toldFaultShape>

export type ToldInSpan = Awaited<ReturnType<typeof toldIn>>

export async function toldIn(world: World, span: RunSpan) {
  const { store } = world.core
  const states = recordFor(callbackStates, () => 0)
  const addresses = new Map<string, ToldAddress>()
  const faults = new Map<string, ToldFault>()
  const givenUp: GivenUp[] = []
  let [all, attempts, retried, byHand, undelivered] = [0, 0, 0, 0, 0]
  for await (const { callback } of every(world, 'callback', Number.POSITIVE_INFINITY, span.callback)) {
    if (!callback) continue
    const automatic = store.callbacks.automaticAttempts(callback)
    all++
    states[callback.state]++
    attempts += callback.attempts
    if (automatic > 1) retried++
    if (callback.state === 'pending' && callback.attempts > 0) undelivered++
    byHand += callback.attempts - automatic
    const lost = isGivenUp(world, callback)
    noteAddress(addresses, callback, lost)
    if (callback.fault) noteFault(faults, callback.fault)
    if (lost && givenUp.length < NAMED) givenUp.push(named(world, callback))
  }
  const urls = [...addresses.values()].sort((a, b) => b.callbacks - a.callbacks)
  const lostCount = urls.reduce((sum, one) => sum + one.givenUp, 0)
  return {
    /** `byHand`: attempts that an operator asked for. `givenUp`: although the scenario did not want that. */
    counts: { all, ...states, attempts, retried, byHand, givenUp: lostCount, undelivered },
    addresses: urls,
    faults: [...faults.values()].sort((a, b) => b.count - a.count),
    givenUp,
  }
}

function isGivenUp({ core: { store } }: World, { id, state, fault }: Callback): boolean {
  if (state !== 'failed' || mayBeRefused(fault)) return false
  return store.callbacks
    .attemptsOf(id)
    .some(({ error, diagnosis }) => error !== null && diagnosis?.code !== 'answer-lost')
}

function noteAddress(addresses: Map<string, ToldAddress>, callback: Callback, lost: boolean): void {
  const url = maskPath(callback.url)
  const { state } = callback
  const told = addresses.get(url) ?? { url, callbacks: 0, delivered: 0, givenUp: 0, attempts: 0 }
  addresses.set(url, {
    url,
    callbacks: told.callbacks + 1,
    delivered: told.delivered + (state === 'delivered' ? 1 : 0),
    givenUp: told.givenUp + (lost ? 1 : 0),
    attempts: told.attempts + callback.attempts,
  })
}

function noteFault(faults: Map<string, ToldFault>, fault: NonNullable<Callback['fault']>): void {
  const does = describeCallbackFault(fault)
  const key = JSON.stringify([fault.by, does])
  faults.set(key, { rule: fault.by, does, count: (faults.get(key)?.count ?? 0) + 1 })
}

function named({ core: { store } }: World, { id, paymentSeq, url, attempts }: Callback): GivenUp {
  const payment = paymentSeq === null ? undefined : store.payments.bySeq(paymentSeq)
  const last = store.callbacks.attemptsOf(id).at(-1)
  return {
    id,
    payment: payment?.uuid ?? null,
    referenceId: payment?.referenceId ?? null,
    url: maskPath(url),
    attempts,
    error: last?.error ?? null,
    why: last?.diagnosis?.why ?? null,
    todo: last?.diagnosis?.todo ?? null,
  }
}
