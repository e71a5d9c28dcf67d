/** Finds a payment by any of its ids. */
import { type Core, kindOf } from '../../../core/core.ts'
import { zonedText } from '../../../core/model/calendar.ts'
import { didYouMean } from '../../../core/model/did-you-mean.ts'
import { type Hint, hintOf } from '../../../core/model/hint.ts'
import type { Payment } from '../../../core/model/payment.ts'
import { Refusal } from '../../../core/model/refusal.ts'
import type { World } from '../../../core/world.ts'
import type { Worlds } from '../../../core/worlds.ts'
import { record } from '../../../inspect/present.ts'

/** Newest payments and requests that are searched where no index exists. */
const LOOKED_AT = 1000
const NAMED = 5

/**
 * Accepts a uuid, the merchant's reference, the service's number, a request's or callback's id, or anything its record
 * prints: a receipt, a conversation id, a checkout reference. Throws a `Refusal` that names the nearest candidates.
 */
export function findPayment(world: World, worlds: Worlds, id: string): Payment {
  const { payments } = world.core.store
  const byUuid = payments.byUuid(id.toLowerCase())
  if (byUuid) return byUuid
  for (const way of [byReference, byNumber, byRequest, byCallback, byRecord]) {
    const [first, ...others] = way(world, id)
    if (first && others.length > 0) throw ambiguous(world, id, [first, ...others])
    if (first) return first
  }
  throw notFound(world, worlds, id)
}

function byReference({ core }: World, id: string): Payment[] {
  return core.store.payments.byReference(id)
}

function byNumber({ core }: World, id: string): Payment[] {
  return /^\d{1,15}$/.test(id) ? core.store.payments.byId(Number(id)) : []
}

function byRequest({ core }: World, id: string): Payment[] {
  const seq = core.store.journal.byRequestId(id)?.paymentSeq ?? undefined
  const payment = seq === undefined ? undefined : core.store.payments.bySeq(seq)
  return payment ? [payment] : []
}

function byCallback({ core }: World, id: string): Payment[] {
  const seq = core.store.callbacks.byUid(id)?.paymentSeq ?? undefined
  const payment = seq === undefined ? undefined : core.store.payments.bySeq(seq)
  return payment ? [payment] : []
}

/** Finds derived ids, which are computed for each record and not stored. */
function byRecord({ core }: World, id: string): Payment[] {
  const { payments } = core.store
  const [seq] = [...core.service.kinds].flatMap(({ page }) => page?.seqOf(core, id) ?? [])
  const known = seq === undefined ? payments.byOutcome(id) : payments.bySeq(seq)
  const found = known ?? newest(core).find((payment) => printed(core, payment).includes(JSON.stringify(id)))
  return found ? [found] : []
}

function printed(core: Core, payment: Payment): string {
  const reference = kindOf(core, payment).page?.publicRef(core, payment)
  return `${JSON.stringify(record(core, payment))}${JSON.stringify(reference) ?? ''}`
}

function newest(core: Core): Payment[] {
  return core.store.payments.page({}, { limit: LOOKED_AT, newestFirst: true })
}

function ambiguous({ core }: World, id: string, found: readonly Payment[]): Refusal {
  const named = found
    .slice(0, NAMED)
    .map((p) => `${p.uuid} (${p.kind}, ${p.status}, ${zonedText(p.createdAtUs, core.scenario.zone)})`)
  const more = found.length > NAMED ? ` and ${found.length - NAMED} more` : ''
  return new Refusal(
    'AMBIGUOUS_ID',
    `${found.length} payments have the id "${id.slice(0, 80)}": ${named.join(', ')}${more}. Ask by uuid.`,
  )
}

/** Suggests another world, a refused request, or a similar id. */
function notFound(world: World, worlds: Worlds, id: string): Refusal {
  const told = elsewhere(world, worlds, id) ?? refused(world, id) ?? nearest(world.core, id)
  const { text = '', hints = [] } = told ?? { hints: [hintOf('{} lists them.', 'payment.list')] }
  return new Refusal('NOT_FOUND', `no payment has the id "${id.slice(0, 80)}". ${text}`.trimEnd(), {
    ...{ hints },
  })
}

interface Guess {
  text?: string
  hints?: Hint[]
}

function elsewhere(world: World, worlds: Worlds, id: string): Guess | undefined {
  // Closed worlds are not opened for a guess.
  const other = worlds.open.find(
    (one) => one !== world && one.core.store.payments.byUuid(id.toLowerCase()) !== undefined,
  )
  return other && { text: `The world "${other.id}" has it: ask there, not in "${world.id}".` }
}

function refused(world: World, id: string): Guess | undefined {
  const { journal } = world.core.store
  const entry =
    journal.byRequestId(id) ??
    journal
      .page({ method: 'POST', limit: LOOKED_AT, newestFirst: true })
      .find(({ requestBody, paymentSeq }) => paymentSeq === null && requestBody?.includes(JSON.stringify(id)))
  if (!entry) return undefined
  const by = entry.rule === null ? '' : ` by the rule "${entry.rule}"`
  const { requestId, method, path, status } = entry
  return {
    text: `The request ${requestId} (${method} ${path.split('?')[0]}) made none: it was answered ${status}${by};`,
    hints: [hintOf('{} shows it.', 'requests.list', { requestId })],
  }
}

function nearest(core: Core, id: string): Guess | undefined {
  const known = newest(core).flatMap(({ uuid, referenceId }) => (referenceId === null ? [uuid] : [uuid, referenceId]))
  const begun = id.length < 4 ? undefined : known.find((one) => one.startsWith(id.toLowerCase()))
  const guess = begun === undefined ? didYouMean(id, known).trim() : `Did you mean "${begun}"?`
  return guess === '' ? undefined : { text: guess }
}
