/** Payments and the queries for them. */
import { LANE, type Position } from '../model/due.ts'
import type { Bounds, PaymentFilter } from '../model/journal.ts'
import type { Currency } from '../model/money.ts'
import type { Moment, Payment, PaymentCount, PaymentKind } from '../model/payment.ts'
import { type DurationUs, LAST_INSTANT_US } from '../model/time.ts'
import { insertRows, type SqlValue, type Stored, updateRows } from '../sql.ts'
import { STEPPED_THROUGH } from './agenda-table.ts'
import { Table } from './counter-table.ts'
import { Conditions, firstSince, type Paging, slicesThrough } from './queries.ts'

/** All that never changes, in one text, because each that is read and written takes processor time of its own. */
interface Opened extends Pick<Payment, 'uuid' | 'request' | 'plan' | 'trace'> {
  /** Left out where the request says the same. */
  callbackUrl?: unknown
}

export const PAYMENT_TEXT = [
  "(payment.opened ->> '$.uuid')",
  "(payment.opened -> '$.request')",
  'payment.referenceId',
  'payment.details',
]

const CHANGING = ['status', 'updatedAtUs', 'details', 'history']

export class Payments extends Table {
  readonly references = new References(this)
  readonly #insert = insertRows(this.sql, 'payment', [
    ...['seq', 'kind', 'id', 'organisationId', 'counterpartyId', 'referenceId', 'party', 'currency'],
    ...['amountMinor', 'status', 'createdAtUs', 'updatedAtUs', 'opened', 'details', 'history'],
  ])
  readonly #update = updateRows(this.sql, 'payment', CHANGING, 'seq')
  readonly #bySeq = this.sql.prepare<PaymentRow>(`SELECT ${COLUMNS} FROM payment WHERE seq = ?`)
  readonly #second = this.sql.prepare('SELECT 1 FROM referenced WHERE referenceId = ? LIMIT 1 OFFSET 1')
  /**
   * As stored, of payments with steps that are due. To read each of them and its transfers alone takes 31 to 42 % more
   * processor time per step.
   */
  #ahead = new Map<number, PaymentRow>()

  /** `party`: in its one spelling. */
  insert(p: Payment, party: string | null): void {
    this.#insert.run(
      p.seq,
      p.kind,
      p.id,
      p.organisationId,
      p.counterpartyId,
      p.referenceId,
      party,
      p.currency,
      p.amountMinor,
      p.status,
      p.createdAtUs,
      p.updatedAtUs,
      openedOf(p),
      JSON.stringify(p.details),
      storedMoments(p),
    )
  }

  save(p: Payment): void {
    this.#ahead.delete(p.seq)
    this.#update.run(p.status, p.updatedAtUs, JSON.stringify(p.details), storedMoments(p), p.seq)
  }

  setParty(seq: number, party: string): void {
    this.run('UPDATE payment SET party = ? WHERE seq = ?', party, seq)
  }

  parties(kinds: readonly PaymentKind[], limit: number): string[] {
    const { where, values } = new Conditions().add('party IS NOT NULL').among('kind', kinds)
    const text = `SELECT party FROM payment ${where} GROUP BY party ORDER BY max(seq) DESC LIMIT ? + 0`
    return this.rows<{ party: string }>(text, ...values, limit).map(({ party }) => party)
  }

  bySeq(seq: number): Payment | undefined {
    const row = this.#ahead.get(seq) ?? this.#bySeq.get(seq)
    return row && this.#toPayment(row)
  }

  /** Reads the payments of all steps that are due up to a position, in one query. */
  readAhead({ dueAtUs, seq }: Position): void {
    const text = `SELECT ${COLUMNS} FROM payment WHERE seq IN (${STEPPED_THROUGH})`
    this.undo.onRollback(() => this.#ahead.clear())
    this.#ahead = new Map(this.rows<PaymentRow>(text, dueAtUs, seq).map((row) => [row.seq, row]))
  }

  byUuid(uuid: string): Payment | undefined {
    const seq = this.ids.numberOf('payment', uuid)
    const found = seq === undefined ? undefined : this.bySeq(seq)
    return found?.uuid === uuid ? found : undefined
  }

  byReference(referenceId: string): Payment[] {
    this.references.catchUp()
    const from = `referenced JOIN payment ON payment.seq = referenced.paymentSeq
      WHERE referenced.referenceId = ? ORDER BY referenced.paymentSeq DESC`
    return this.#found(from, referenceId)
  }

  /** The index knows payments up to when it caught up last. */
  isRepeated(referenceId: string): boolean {
    return this.#second.get(referenceId) !== undefined
  }

  /** Payments that show this number as their `id`, at most one of each kind. Reads many rows. */
  byId(id: number): Payment[] {
    return this.#found('payment WHERE seq >= ? AND id = ? ORDER BY seq', id, id)
  }

  /** The newest payment with this value, such as a receipt, in its outcome. Reads many rows. */
  byOutcome(value: string): Payment | undefined {
    return this.#found('payment WHERE instr(details, ?) > 0 ORDER BY seq DESC LIMIT 1', JSON.stringify(value))[0]
  }

  *counting(filter: PaymentFilter): Generator<void, number> {
    const count = (one: PaymentFilter, hint = '') => {
      const { from, values } = this.#matching(one)
      const text = `SELECT count(*) AS n FROM ${from.replace(/^payment\b/, `payment ${hint}`)}`
      return this.row<{ n: number }>(text, ...values)?.n ?? 0
    }
    // All of them, and the few of somebody, are counted in an index.
    const { referenceId, counterpartyId, party, ...others } = filter
    const isAll = Object.values(others).every((one) => one === undefined)
    if ((referenceId ?? counterpartyId ?? party) !== undefined || isAll) return count(filter)
    const all = this.span(filter)
    let sum = 0
    yield* slicesThrough(this.sql, 'payment.seq', all.before - 1, ({ from, through }) => {
      if (through <= all.after) return
      const slice = { after: Math.max(from - 1, all.after), before: Math.min(through + 1, all.before) }
      sum += count({ ...filter, ...all, ...slice }, 'NOT INDEXED')
    })
    return sum
  }

  /** The bounds by number alone, so that no payment which comes meanwhile is within. */
  span({ sinceUs, untilUs, after = 0, before = Number.MAX_SAFE_INTEGER }: Bounds) {
    const since = sinceUs === undefined ? 1 : firstSince(this.sql, 'payment', sinceUs)
    const until = firstSince(this.sql, 'payment', untilUs === undefined ? LAST_INSTANT_US + 1 : untilUs + 1)
    return {
      after: Math.max(after, since - 1),
      before: Math.min(before, until),
      sinceUs: undefined,
      untilUs: undefined,
    }
  }

  page(filter: PaymentFilter, { limit, newestFirst }: Pick<Paging, 'limit' | 'newestFirst'>): Payment[] {
    const { from, values, key } = this.#matching(filter)
    return this.#found(`${from} ORDER BY ${key} ${newestFirst ? 'DESC' : 'ASC'} LIMIT ? + 0`, ...values, limit)
  }

  /** In pages, so that a million payments take the memory of five hundred. */
  *each(filter: PaymentFilter, newestFirst = false): Generator<Payment> {
    let next: Bounds = {}
    for (;;) {
      const page = this.page({ ...filter, ...next }, { limit: 500, newestFirst })
      yield* page
      const last = page.at(-1)
      if (!last || page.length < 500) return
      next = newestFirst ? { before: last.seq } : { after: last.seq }
    }
  }

  /**
   * Payments that only a request or an operator can continue, because nothing is due for them. In order of creation;
   * searches the newest `among`.
   */
  stuck(states: readonly string[], among: number, limit: number): Payment[] {
    const { where, values } = new Conditions()
      .add('seq > (SELECT max(seq) FROM payment) - ?', among)
      .among('status', states)
      .add(`NOT EXISTS (SELECT 1 FROM agenda WHERE lane = ${LANE.steps} AND subject = payment.seq)`)
    return this.#found(`payment ${where} ORDER BY seq LIMIT ? + 0`, ...values, limit)
  }

  total(organisationId: number, kind: PaymentKind, status: string, currency: Currency): number {
    const text =
      'SELECT sum(amountMinor) AS total FROM payment WHERE organisationId = ? AND kind = ? AND status = ? AND currency = ?'
    return this.row<{ total: number | null }>(text, organisationId, kind, status, currency)?.total ?? 0
  }

  /** By kind and status, in the order of their names. */
  *countingByStatus(): Generator<void, PaymentCount[]> {
    const counts = new Map<string, PaymentCount>()
    const read = this.sql.prepare<PaymentCount>(
      'SELECT kind, status, count(*) AS count FROM payment WHERE seq BETWEEN ? AND ? GROUP BY kind, status',
    )
    yield* slicesThrough(
      this.sql,
      'payment.seq',
      this.row<{ n: number | null }>('SELECT max(seq) AS n FROM payment')?.n ?? 0,
      ({ from, through }) => {
        for (const one of read.all(from, through)) {
          const key = `${one.kind} ${one.status}`
          counts.set(key, { ...one, count: one.count + (counts.get(key)?.count ?? 0) })
        }
      },
    )
    return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count)
  }

  #matching(filter: PaymentFilter) {
    const { organisationIds, referenceId } = filter
    const byReference = referenceId !== undefined
    if (byReference) this.references.catchUp()
    const key = byReference ? 'referenced.paymentSeq' : 'payment.seq'
    const { where, values } = new Conditions()
      .among(organisationIds?.length === 1 ? 'organisationId' : '+organisationId', organisationIds)
      .among('kind', filter.kinds)
      .add('counterpartyId = ?', filter.counterpartyId)
      .add('status = ?', filter.status)
      .among('status', filter.statuses)
      .add('amountMinor >= ?', filter.leastMinor)
      .add('amountMinor <= ?', filter.mostMinor)
      .add('currency = ?', filter.currency)
      .add('currency <> ?', filter.notCurrency)
      .add('referenced.referenceId = ?', referenceId)
      .add('party = ?', filter.party)
      .text(filter.texts, PAYMENT_TEXT)
      .within(this.sql, 'payment', filter, key)
    // In this order, so that it stops where enough were found.
    const tables = byReference ? 'referenced CROSS JOIN payment ON payment.seq = referenced.paymentSeq' : 'payment'
    return { from: `${tables} ${where}`, values, key }
  }

  #found(from: string, ...values: SqlValue[]): Payment[] {
    return this.rows<PaymentRow>(`SELECT ${COLUMNS} FROM ${from}`, ...values).map((row) => this.#toPayment(row))
  }

  #toPayment(row: PaymentRow): Payment {
    const { uuid, request, plan, callbackUrl = request['callbackUrl'], trace }: Opened = JSON.parse(row.opened)
    return {
      seq: row.seq,
      kind: row.kind,
      id: row.id,
      uuid,
      organisationId: row.organisationId,
      counterpartyId: row.counterpartyId,
      referenceId: row.referenceId,
      currency: row.currency,
      amountMinor: row.amountMinor,
      status: row.status,
      request,
      details: row.details === '{}' ? {} : JSON.parse(row.details),
      plan,
      history: readMoments(row),
      callbackUrl: typeof callbackUrl === 'string' ? callbackUrl : null,
      trace,
      createdAtUs: row.createdAtUs,
      updatedAtUs: row.updatedAtUs,
    }
  }
}

function openedOf({ uuid, request, plan, callbackUrl, trace }: Payment): string {
  const own = callbackUrl === request['callbackUrl'] ? undefined : callbackUrl
  return JSON.stringify({ uuid, request, plan, callbackUrl: own, trace } satisfies Opened)
}

// The columns of a stored payment.

type PaymentRow = Stored<Omit<Payment, keyof Opened | 'callbackUrl'> & { opened: string }, 'details' | 'history'>

/** Columns of `PaymentRow`, without `party`, which is derived from the request and only used in queries. */
const COLUMNS = `seq, kind, id, organisationId, counterpartyId, payment.referenceId, currency, amountMinor, status,
  createdAtUs, updatedAtUs, opened, details, history`

/**
 * A tuple and the time since the payment was made, because names of fields and whole times would take most of the space.
 */
type StoredMoment = [afterUs: DurationUs, event: string, status: string, by: Moment['by'], detail?: string]

function storedMoments({ history, createdAtUs }: Payment): string {
  return JSON.stringify(
    history.map(({ atUs, event, status, by, detail }): StoredMoment => {
      const afterUs = atUs - createdAtUs
      return detail === undefined ? [afterUs, event, status, by] : [afterUs, event, status, by, detail]
    }),
  )
}

function readMoments({ history, createdAtUs }: PaymentRow): Moment[] {
  const stored: StoredMoment[] = JSON.parse(history)
  return stored.map(([afterUs, event, status, by, detail]) => {
    const atUs = createdAtUs + afterUs
    return detail === undefined ? { atUs, event, status, by } : { atUs, event, status, by, detail }
  })
}

// An index of payments by the caller's reference.

const BEHIND_MAX = 2048
const THROUGH = 'referenced'

/**
 * References come in random order: adding each at once would write a page for nearly every payment, 11 to 23 % of a
 * commit's processor time. So many are added together, or when somebody searches.
 */
class References extends Table {
  #throughSeq = this.meta.get<number>(THROUGH) ?? 0

  follow(lastSeq: number): void {
    if (lastSeq - this.#throughSeq >= BEHIND_MAX) this.catchUp()
  }

  catchUp(): void {
    const throughSeq = this.#throughSeq
    const newestSeq = this.row<{ seq: number | null }>('SELECT max(seq) AS seq FROM payment')?.seq ?? 0
    if (newestSeq <= throughSeq) return
    this.undo.onRollback(() => {
      this.#throughSeq = throughSeq
    })
    this.sql.transaction(() => {
      const text = `INSERT INTO referenced (referenceId, paymentSeq) SELECT referenceId, seq FROM payment
        WHERE seq > ? AND seq <= ? AND referenceId IS NOT NULL ORDER BY referenceId, seq`
      this.run(text, throughSeq, newestSeq)
      this.meta.set(THROUGH, newestSeq)
    })
    this.#throughSeq = newestSeq
  }
}
