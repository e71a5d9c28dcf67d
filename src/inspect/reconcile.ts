import type { Zone } from '../core/model/calendar.ts'
import type { Attempt, Callback } from '../core/model/callback.ts'
import { mayBeRefused } from '../core/model/callback-fault.ts'
import type { JournalEntry } from '../core/model/journal.ts'
import type { Service } from '../core/model/kind.ts'
import { keysIn } from '../core/model/must.ts'
import { SECOND_US } from '../core/model/time.ts'
import type { World } from '../core/world.ts'
import { type Finding, kindsWithoutList, type Reconciled, type RequestWithoutPayment } from './finding.ts'
import { askedIn, askedTooOften, compareBooks, match, tell, toFinding } from './reconcile/compare.ts'
import { callbackHabits } from './reconcile/habit-findings.ts'
import type { CallbackHabit, MisplacedSecret } from './reconcile/money-findings.ts'
import { type CallbackCounts, factsOf, JournalFacts, outcomeOf, type PaymentFacts } from './reconcile/payment-facts.ts'
import { type BookedPayment, type Books, booksOfCsv, booksOfJson, decodeBooks } from './reconcile/read-books.ts'
import { every, inTurns } from './search.ts'

export interface ReconcileSettings {
  organisationId?: number | undefined
  /** Payments of an earlier run without faults. Comparing with them shows which were requested twice. */
  asked?: readonly RequestWithoutPayment[] | undefined
}

export { compareBooks, decodeBooks, outcomeOf }

export const BOOKS_MAX_BYTES = 32_000_000

/**
 * JSON or CSV. Refuses invalid books, and those without ids unless these may lack. `service` says which kinds and
 * currencies are valid.
 */
export function readBooks(books: unknown, service: Service, idsMayLack = false): Books {
  return typeof books === 'string' ? booksOfCsv(books, service) : booksOfJson(books, service, idsMayLack)
}

/** Without books, reports only what journal, outbox and ledger show. Changes nothing. */
export async function reconcileBooks(
  world: World,
  lines: readonly BookedPayment[] | undefined,
  { organisationId, asked }: ReconcileSettings = {},
): Promise<Reconciled> {
  const { zone } = world.core.scenario
  const { payments, refused, habits } = await gather(world, organisationId)
  const { differences, matched } = lines
    ? compareBooks(lines, { payments, refused, asked })
    : { differences: askedTooOften(payments, asked), matched: match([], []) }
  const uuids = new Map(payments.map(({ seq, uuid }) => [seq, uuid]))
  const found = await inTurns(world, differences, (one) => toFinding(one, zone))
  const all = [...found, ...habits.findings((seq) => uuids.get(seq), zone)]
  return {
    findings: all.filter(({ level }) => level === 'error'),
    warnings: all.filter(({ level }) => level === 'warning'),
    unmatched: {
      lines: matched.lines.map(({ number }) => number),
      payments: matched.payments.map(({ uuid }) => uuid),
    },
    compared: { lines: lines?.length ?? 0, payments: payments.length, matched: matched.pairs.length },
    asked: askedIn(payments),
  }
}

async function gather(world: World, organisationId?: number) {
  const habits = new Habits()
  const journal = await readJournal(world, habits)
  const told = await readCallbacks(world, habits)
  const unlisted = kindsWithoutList(world.core.service)
  const payments: PaymentFacts[] = []
  for await (const { payment } of every(world, 'payment')) {
    if (!payment || (organisationId !== undefined && payment.organisationId !== organisationId)) continue
    payments.push(factsOf(world, payment, journal, told.get(payment.seq), unlisted))
  }
  return { payments, refused: journal.refused, habits }
}

async function readJournal(world: World, habits: Habits): Promise<JournalFacts> {
  const byId = new Map(world.core.service.operations.map((operation) => [operation.id, operation]))
  const facts = new JournalFacts()
  for await (const { entry } of every(world, 'request')) {
    if (!entry) continue
    const operation = byId.get(entry.operation ?? '')
    facts.see(entry, operation?.opens !== undefined)
    habits.request(entry, operation?.auth === 'none')
  }
  return facts
}

async function readCallbacks(world: World, habits: Habits): Promise<Map<number, CallbackCounts>> {
  const { store, scenario } = world.core
  const told = new Map<number, CallbackCounts>()
  for await (const { callback } of every(world, 'callback')) {
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
