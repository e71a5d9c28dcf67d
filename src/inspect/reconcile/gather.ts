import { kindOf } from '../../core/core.ts'
import { openStates } from '../../core/lifecycle.ts'
import { DAY_US, type Zone } from '../../core/model/calendar.ts'
import type { Attempt, Callback } from '../../core/model/callback.ts'
import { mayBeRefused } from '../../core/model/callback-fault.ts'
import type { JournalEntry } from '../../core/model/journal.ts'
import { asJson } from '../../core/model/json.ts'
import { type Kind, partyOf } from '../../core/model/kind.ts'
import { isRecord, keysIn } from '../../core/model/must.ts'
import type { Payment } from '../../core/model/payment.ts'
import { type InstantUs, SECOND_US } from '../../core/model/time.ts'
import type { World } from '../../core/world.ts'
import { type Finding, kindsWithoutList } from '../finding.ts'
import { every } from '../search.ts'
import { tell } from './compare.ts'
import type { CallbackHabit, MisplacedSecret } from './findings/finding-record.ts'
import { callbackHabits } from './findings/habit-findings.ts'
import type { MovementDirection, PaymentFacts, RefusedRequest } from './match.ts'
import { normalText, outcomeOf } from './spelling.ts'

export interface Gathered {
  payments: PaymentFacts[]
  refused: RefusedRequest[]
  habits: Habits
}

interface CallbackCounts {
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

async function readCallbacks(world: World, habits: Habits): Promise<Map<number, CallbackCounts>> {
  const { store, scenario } = world.core
  const told = new Map<number, CallbackCounts>()
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
  told: CallbackCounts | undefined,
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

/** A younger token is valid for at least another minute. */
const TOKEN_FRESH_US = 240 * SECOND_US
/** Fewer calls prove no habit. */
const CALLS_MIN = 5
/** More reads of one thing in a short time are a busy loop. */
const READS_MAX = 20
const READS_WITHIN_US = 10 * SECOND_US
const SECRET = /secret|password|token|api_?key/i
/** mfano itself dropped the receiver's answer, so it proves no habit. */
const ANSWER_LOST = 'answer-lost'

type HabitCode = keyof typeof callbackHabits
const habitCodes = keysIn(callbackHabits)

class Habits {
  readonly #callbacks = new Map<HabitCode, CallbackHabit>()
  readonly #misplaced = new Map<string, MisplacedSecret>()
  readonly #reads = new Map<string, { sinceUs: number; times: number; most: number; first: JournalEntry }>()
  #tokens = 0
  #needless = 0
  #calls = 0
  #tokenAtUs = Number.NEGATIVE_INFINITY

  request(entry: JournalEntry, tokenless: boolean): void {
    if (tokenless && entry.status < 300) {
      this.#tokens++
      if (entry.atUs - this.#tokenAtUs < TOKEN_FRESH_US) this.#needless++
      this.#tokenAtUs = entry.atUs
    } else if (!tokenless && entry.requestHeaders['authorization'] !== undefined) this.#calls++
    for (const where of misplacedIn(entry)) {
      const known = this.#misplaced.get(where)
      this.#misplaced.set(where, { where, times: (known?.times ?? 0) + 1, first: known?.first ?? entry })
    }
    if (entry.method === 'GET') this.#read(entry)
  }

  #read(entry: JournalEntry): void {
    const known = this.#reads.get(entry.path)
    const goesOn = known && entry.atUs - known.sinceUs <= READS_WITHIN_US
    const times = goesOn ? known.times + 1 : 1
    const sinceUs = goesOn ? known.sinceUs : entry.atUs
    this.#reads.set(entry.path, {
      sinceUs,
      times,
      most: Math.max(known?.most ?? 0, times),
      first: known?.first ?? entry,
    })
  }

  callback(callback: Callback, attempts: readonly Attempt[], timeoutMs: number): void {
    if (mayBeRefused(callback.fault)) return
    const own = attempts.filter(({ diagnosis }) => diagnosis?.code !== ANSWER_LOST)
    for (const code of habitCodes) {
      const what = callbackHabits[code].notice({ ...callback, own, timeoutMs })
      if (what !== undefined) this.#note(code, callback, what)
    }
  }

  #note(code: HabitCode, callback: Callback, what: string): void {
    const known = this.#callbacks.get(code)
    this.#callbacks.set(code, {
      times: (known?.times ?? 0) + 1,
      first: known?.first ?? callback,
      what: known?.what ?? what,
    })
  }

  findings(uuidOf: (seq: number) => string | undefined, zone: Zone): Finding[] {
    return [
      ...[...this.#callbacks].map(([code, habit]) => {
        const { paymentSeq } = habit.first
        return tell(code, habit, zone, { requestId: paymentSeq === null ? undefined : uuidOf(paymentSeq) })
      }),
      ...this.#tokenFindings(zone),
      ...[...this.#misplaced.values()].map((secret) => tell('secret_misplaced', secret, zone)),
      ...this.#pollFindings(zone),
    ]
  }

  #tokenFindings(zone: Zone): Finding[] {
    const [tokens, calls, needless] = [this.#tokens, this.#calls, this.#needless]
    if (calls < CALLS_MIN || needless < calls * 0.8) return []
    return [tell('token_for_every_call', { tokens, calls, needless }, zone)]
  }

  #pollFindings(zone: Zone): Finding[] {
    return [...this.#reads.values()]
      .filter(({ most }) => most > READS_MAX)
      .map(({ most, first: { path } }) =>
        tell('polled_too_fast', { path, times: most, withinS: READS_WITHIN_US / SECOND_US }, zone),
      )
  }
}

function misplacedIn({ path, notes }: JournalEntry): string[] {
  const fields = (notes?.unread ?? []).filter((field) => !/^\?| \(repeated\)$/.test(field) && SECRET.test(field))
  return [...(/[?&][^=&]+=\*\*\*/.test(path) ? ['the query'] : []), ...fields.map((field) => `the field ${field}`)]
}

const UUID = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/gi

class JournalFacts {
  readonly refused: RefusedRequest[] = []
  readonly answered = new Set<number>()
  readonly shownAtUs = new Map<string, InstantUs[]>()
  listedAtUs: InstantUs | null = null
  lookedInVainAtUs: InstantUs | null = null

  see(entry: JournalEntry, opens: boolean): void {
    const arrived = isIntact(entry)
    if (entry.method === 'GET' && !arrived) this.lookedInVainAtUs = entry.atUs
    if (arrived && entry.status < 300) {
      if (entry.responseBody?.startsWith('(')) this.listedAtUs = entry.atUs
      for (const [uuid] of entry.responseBody?.matchAll(UUID) ?? []) this.#noteShown(uuid.toLowerCase(), entry.atUs)
      if (entry.paymentSeq !== null) this.answered.add(entry.paymentSeq)
    }
    if (!opens || entry.paymentSeq !== null) return
    const reference = referenceIn(entry.requestBody)
    const { requestId, atUs, status } = entry
    if (reference !== undefined) this.refused.push({ reference, requestId, atUs, status })
  }

  #noteShown(uuid: string, atUs: InstantUs): void {
    const known = this.shownAtUs.get(uuid)
    if (!known) this.shownAtUs.set(uuid, [atUs])
    else if (known.at(-1) !== atUs) known.push(atUs)
  }
}

function isIntact({ status, notes }: JournalEntry): boolean {
  return status > 0 && status < 500 && notes?.fault === undefined
}

function referenceIn(body: string | null): string | undefined {
  const sent = asJson(body)
  const reference = isRecord(sent) ? (sent['referenceId'] ?? sent['externalReference']) : undefined
  return typeof reference === 'string' ? normalText(reference) : undefined
}
