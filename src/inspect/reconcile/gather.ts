/** Collects what books are compared with: payments, their answers, and habits. */
import { kindOf } from '../../core/core.ts'
import { openStates } from '../../core/lifecycle.ts'
import { DAY_US } from '../../core/model/calendar.ts'
import type { Kind } from '../../core/model/kind.ts'
import { partyOf } from '../../core/model/party.ts'
import type { Payment } from '../../core/model/payment.ts'
import type { InstantUs } from '../../core/model/time.ts'
import type { World } from '../../core/world.ts'
import { kindsWithoutList } from '../finding.ts'
import { every } from '../questions/every.ts'
import { Habits } from './habits.ts'
import { JournalFacts } from './journal-facts.ts'
import type { MovementDirection, PaymentFacts, RefusedRequest } from './ledger-facts.ts'
import { normalText } from './spelling.ts'
import { outcomeOf } from './status.ts'

export interface Gathered {
  payments: PaymentFacts[]
  refused: RefusedRequest[]
  habits: Habits
}

interface Told {
  written: number
  untried: number
  takenAtUs: InstantUs | null
}

export async function gather(world: World, organisationId?: number): Promise<Gathered> {
  const habits = new Habits()
  const journal = await readJournal(world, habits)
  const told = await readCallbacks(world, habits)
  const unlisted = kindsWithoutList(world.core.service)
  const payments: PaymentFacts[] = []
  for await (const seen of every(world, 'payment')) {
    const { payment } = seen
    if (!payment || (organisationId !== undefined && payment.organisationId !== organisationId)) continue
    payments.push(factsOf(world, payment, journal, told.get(payment.seq), unlisted))
  }
  return { payments, refused: journal.refused, habits }
}

async function readJournal(world: World, habits: Habits): Promise<JournalFacts> {
  const byId = new Map(world.core.service.operations.map((operation) => [operation.id, operation]))
  const facts = new JournalFacts()
  for await (const seen of every(world, 'request')) {
    if (!seen.entry) continue
    const operation = byId.get(seen.entry.operation ?? '')
    facts.see(seen.entry, operation?.opens !== undefined)
    habits.request(seen.entry, operation?.auth === 'none')
  }
  return facts
}

async function readCallbacks(world: World, habits: Habits): Promise<Map<number, Told>> {
  const { store, scenario } = world.core
  const told = new Map<number, Told>()
  for await (const seen of every(world, 'callback')) {
    const { callback } = seen
    if (!callback) continue
    const attempts = callback.attempts > 0 ? store.callbacks.attemptsOf(callback.id) : []
    habits.callback(callback, attempts, scenario.callbacks.timeoutMs)
    if (callback.paymentSeq === null) continue
    const known = told.get(callback.paymentSeq) ?? { written: 0, untried: 0, takenAtUs: null }
    const waits = callback.state === 'pending' || callback.state === 'held'
    const taken = attempts.find(({ error, diagnosis }) => error === null || diagnosis?.code === 'answer-lost')
    told.set(callback.paymentSeq, {
      written: known.written + 1,
      untried: known.untried + (waits && callback.attempts === 0 ? 1 : 0),
      takenAtUs: known.takenAtUs ?? taken?.sentAtUs ?? null,
    })
  }
  return told
}

function factsOf(
  { core }: World,
  payment: Payment,
  journal: JournalFacts,
  told: Told | undefined,
  unlisted: ReadonlySet<string>,
): PaymentFacts {
  const { seq, uuid, history, status, createdAtUs } = payment
  const kind = kindOf(core, payment)
  const origin = originOf(payment)
  const twin = origin === 'scenario' ? core.store.payments.bySeq(seq - 1) : undefined
  const listedAtUs = journal.listedAtUs !== null && journal.listedAtUs >= createdAtUs ? journal.listedAtUs : null
  const shown = [...(journal.shownAtUs.get(uuid) ?? []), listedAtUs, told?.takenAtUs].filter(
    (atUs) => typeof atUs === 'number',
  )
  const learntAtUs = firstOf(shown)
  const lookedInVain = journal.lookedInVainAtUs !== null && journal.lookedInVainAtUs >= createdAtUs
  const sinceUs = history.findLast((moment) => moment.status === status)?.atUs ?? payment.updatedAtUs
  const end = history.find((moment) => !isOpen(moment.status))
  return {
    uuid,
    seq,
    kind: payment.kind,
    direction: directionOf(kind),
    organisationId: payment.organisationId,
    reference: payment.referenceId === null ? null : normalText(payment.referenceId),
    party: partyOf(kind, payment.request),
    order: orderOf(payment),
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    feeMinor: outcomeOf(status) === 'paid' ? (payment.plan.feeMinor ?? 0) : 0,
    status,
    outcome: outcomeOf(status),
    outcomes: history.map((moment) => outcomeOf(moment.status)),
    createdAtUs,
    endedAtUs: end?.atUs ?? null,
    sinceUs,
    origin,
    twinOf: twin?.uuid ?? null,
    answered: origin !== 'request' || journal.answered.has(seq),
    learntAtUs,
    endLearntAtUs: end ? firstOf(shown.filter((atUs) => atUs >= end.atUs)) : null,
    longKnowable:
      core.clock.now() - sinceUs >= DAY_US && (!unlisted.has(payment.kind) || typeof told?.takenAtUs === 'number'),
    hidden: learntAtUs === null && (unlisted.has(payment.kind) || lookedInVain),
    callbacks: { written: told?.written ?? 0, untried: told?.untried ?? 0 },
    subscribed: core.store.organisations.byId(payment.organisationId).collectionCallbackUrl !== null,
  }
}

function firstOf(instants: readonly InstantUs[]): InstantUs | null {
  return instants.length === 0 ? null : instants.reduce((first, atUs) => Math.min(first, atUs))
}

function originOf({ history }: Payment): PaymentFacts['origin'] {
  const [first] = history
  if (first?.by === 'plan') return 'scenario'
  return first?.by === 'request' ? 'request' : 'other'
}

function isOpen(status: string): boolean {
  return openStates.some((state) => state === status)
}

function directionOf({ direction }: Kind): MovementDirection {
  if (direction === 'between') return 'within'
  return direction === 'in' ? 'in' : 'out'
}

function orderOf({ request }: Payment): string | null {
  const name = request['accountReference'] ?? request['paymentReference']
  return typeof name === 'string' && name.trim() !== '' ? name.trim().toUpperCase() : null
}
