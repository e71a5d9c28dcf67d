import { isPaid } from '../../core/lifecycle.ts'
import { asJson } from '../../core/model/json.ts'
import { toMinor } from '../../core/model/money.ts'
import { isRecord } from '../../core/model/must.ts'
import { faultTarget } from '../../core/response-faults.ts'
import { findingRecords } from '../../inspect/finding.ts'
import { compareBooks, outcomeOf } from '../../inspect/reconcile.ts'
import { paymentsService } from '../../service/service.ts'
import { READS_TRANSFERS } from '../app/bank-bills.ts'
import { type HarRecord, operationOf, unreadable } from '../traffic/read-traffic.ts'
import type { BookedLine, IncidentFiles, ListedPayment } from './read-incident.ts'

export interface SeenRequest {
  entry: HarRecord
  operation: string
  /** `POST /api/sandbox/v1/send-money`: no value of the incident stands in it. */
  called: string
  nth: number
  opens: string | undefined
  sent: Record<string, unknown>
  answer: unknown
}

export interface ToldCallback {
  entry: HarRecord
  status: string | undefined
  body: Record<string, unknown> | undefined
}

/** `no`: it was refused, or nobody knows of it. `perhaps`: it was not answered, and nothing tells. */
type Made = 'yes' | 'no' | 'perhaps'

export interface SeenPayment {
  kind: string
  nth: number
  asked: SeenRequest
  made: Made
  ids: Set<string>
  reference: string | undefined
  amountMinor: number | undefined
  row: ListedPayment | undefined
  twins: ListedPayment[]
  looked: { asked: SeenRequest; status: string }[]
  told: ToldCallback[]
}

export interface Seen {
  asked: readonly SeenRequest[]
  payments: readonly SeenPayment[]
  /** Callbacks about payments that nobody asked for in this traffic. */
  strange: readonly ToldCallback[]
  hasCallbacks: boolean
  unasked: readonly ListedPayment[]
  booked: readonly BookedLine[] | undefined
  foreign: number
}

/** Paths of the real service may lack the part `sandbox`. */
function askedOf(entry: HarRecord): Omit<SeenRequest, 'nth'> | undefined {
  const spelled = [entry.path, entry.path.replace('/api/v1/', '/api/sandbox/v1/')]
  const found = spelled.map((path) => operationOf({ method: entry.method, path })).find((one) => one)
  if (!found) return undefined
  const sent = asJson(entry.body)
  return {
    ...{ entry, operation: found.id, called: faultTarget(found), opens: found.opens },
    sent: isRecord(sent) ? sent : {},
    answer: asJson(entry.answer),
  }
}

export function seenIn({ entries, listed, booked }: IncidentFiles): Seen {
  const asked: SeenRequest[] = []
  const others: HarRecord[] = []
  const counts = new Map<string, number>()
  for (const entry of entries) {
    const one = askedOf(entry)
    if (!one) {
      if (entry.method === 'POST') others.push(entry)
      continue
    }
    const nth = (counts.get(one.operation) ?? 0) + 1
    counts.set(one.operation, nth)
    asked.push({ ...one, nth })
  }
  if (asked.length === 0)
    throw unreadable(
      `None of ${entries.length} entries is a request to the service. Expected paths such as ${paymentsService.operations.find(({ opens }) => opens)?.path}.`,
    )
  const payments = new Payments()
  for (const one of asked) if (one.opens !== undefined) payments.ask(one, one.opens)
  for (const one of asked) payments.look(one)
  const unasked = payments.list(listed ?? [])
  const strange = others.flatMap((entry) => payments.tell(entry) ?? [])
  payments.count(listed !== undefined)
  const told = payments.all.reduce((sum, one) => sum + one.told.length, strange.length)
  return {
    ...{ asked, payments: payments.all, strange, hasCallbacks: told > 0, unasked, booked },
    foreign: entries.length - asked.length - told,
  }
}

class Payments {
  readonly all: SeenPayment[] = []

  ask(asked: SeenRequest, kind: string): void {
    const { sent, answer, entry } = asked
    const ids = entry.status < 300 ? recordsIn(answer).flatMap(idsOf) : []
    // It was made before, and is only answered for again.
    if (ids.some((id) => this.#byId(id))) return
    this.all.push({
      ...{ kind, nth: 0, asked, made: 'perhaps', ids: new Set(ids), reference: textIn(sent, REFERENCES) },
      ...{ amountMinor: amountIn(sent), row: undefined, twins: [], looked: [], told: [] },
    })
  }

  look(asked: SeenRequest): void {
    const { entry, answer, operation } = asked
    if (entry.method !== 'GET' || operation === READS_TRANSFERS) return
    const url = URL.parse(entry.path, 'http://localhost')
    const names = [url?.searchParams.get('requestId'), decodeURIComponent(url?.pathname.split('/').at(-1) ?? '')]
    const [named] = names.flatMap((name) => (name ? this.#findByName(name, entry) : []))
    if (entry.status === 404 && named) named.looked.push({ asked, status: 'absent' })
    if (entry.status < 200 || entry.status >= 300) return
    const records = recordsIn(answer)
    for (const record of records) {
      const status = textIn(record, ['status'])
      const ids = idsOf(record)
      const alike = ids.map((id) => this.#byId(id)).find((one) => one) ?? (records.length === 1 ? named : undefined)
      if (!alike || status === undefined) continue
      for (const id of ids) alike.ids.add(id)
      alike.looked.push({ asked, status })
    }
  }

  list(rows: readonly ListedPayment[]): ListedPayment[] {
    const sorted = rows.toSorted((a, b) => (a.createdMs ?? 0) - (b.createdMs ?? 0))
    const left = new Set(sorted)
    const match = (fits: (payment: SeenPayment, row: ListedPayment) => boolean) => {
      for (const payment of this.all) {
        if (payment.row) continue
        const row = sorted.find((one) => left.has(one) && fits(payment, one))
        if (!row) continue
        payment.row = row
        if (row.requestId !== undefined) payment.ids.add(row.requestId)
        left.delete(row)
      }
    }
    match(({ ids }, { requestId }) => requestId !== undefined && ids.has(requestId))
    match(({ reference, ids }, row) => ids.size === 0 && reference !== undefined && reference === row.reference)
    match(({ reference }, row) => reference !== undefined && reference === row.reference)
    const isUnnamed = (row: ListedPayment) =>
      row.reference === undefined || this.all.every(({ reference }) => reference === undefined)
    match(
      ({ ids, amountMinor, kind, asked }, row) =>
        ids.size === 0 &&
        isUnanswered(asked) &&
        isUnnamed(row) &&
        amountMinor === row.amountMinor &&
        (row.kind === undefined || row.kind === kind),
    )
    for (const row of left) {
      const first = this.all.find(({ reference }) => reference !== undefined && reference === row.reference)
      if (!first) continue
      first.twins.push(row)
      left.delete(row)
    }
    return [...left]
  }

  tell(entry: HarRecord): ToldCallback | undefined {
    const parsed = asJson(entry.body)
    const body = isRecord(parsed) ? parsed : undefined
    const status = textIn(body ?? {}, ['status']) ?? /"status"\s*:\s*"(\w+)"/.exec(entry.body)?.[1]
    const callback = { entry, status, body }
    const path = entry.path.split('?')[0] ?? ''
    const addressed = this.all.filter(({ asked }) => pathOf(asked.sent['callbackUrl']) === path)
    const before = (all: readonly SeenPayment[]) =>
      all.findLast(({ asked }) => asked.entry.atMs <= entry.atMs) ?? all[0]
    const quoted = (text: string) => entry.body.includes(JSON.stringify(text))
    const about =
      this.all.find(({ ids }) => [...ids].some((id) => entry.body.toLowerCase().includes(id))) ??
      before(this.all.filter(({ reference }) => reference !== undefined && quoted(reference)))
    const isTwin = this.all.some(({ twins }) =>
      twins.some(({ requestId }) => requestId && entry.body.includes(requestId)),
    )
    if (!about && isTwin) return undefined
    const isStrange = body !== undefined && idsOf(body).length > 0
    const [alone, ...more] = addressed
    // An address of its own names a payment, and so does an id that nobody was told, because its answer was lost.
    const silent = addressed.filter(
      ({ ids, amountMinor }) =>
        ids.size === 0 && (body === undefined || amountIn(body) === undefined || amountIn(body) === amountMinor),
    )
    const payment = about ?? (alone && more.length === 0 && alone.ids.size === 0 ? alone : before(silent))
    if (!payment) return isStrange && addressed.length > 0 ? callback : undefined
    payment.told.push(callback)
    for (const id of body ? idsOf(body) : []) payment.ids.add(id)
    return undefined
  }

  count(hasList: boolean): void {
    const counts = new Map<string, number>()
    for (const one of this.all) {
      const { status } = one.asked.entry
      const isSeen = one.row ?? one.told[0] ?? one.looked.find((seen) => seen.status !== 'absent')
      if (isSeen || (status >= 200 && status < 300)) one.made = 'yes'
      else if (hasList || one.looked.length > 0 || !isUnanswered(one.asked)) one.made = 'no'
      if (one.made === 'no') continue
      one.nth = (counts.get(one.kind) ?? 0) + 1
      counts.set(one.kind, one.nth)
    }
  }

  #byId(id: string): SeenPayment | undefined {
    return this.all.find(({ ids }) => ids.has(id.toLowerCase()))
  }

  #findByName(name: string, { atMs }: HarRecord): SeenPayment | undefined {
    return (
      this.#byId(name) ?? this.all.findLast(({ reference, asked }) => reference === name && asked.entry.atMs <= atMs)
    )
  }
}

/** Nobody can tell from it whether the request was executed. */
export function isUnanswered({ entry: { status } }: SeenRequest): boolean {
  return status === 0 || status >= 500
}

export function statusesOf({ looked, told }: SeenPayment): { entry: HarRecord; status: string; isTold: boolean }[] {
  return [
    ...looked.map(({ asked: { entry }, status }) => ({ entry, status, isTold: false })),
    ...told.map(({ entry, status = '' }) => ({ entry, status, isTold: true })),
  ].sort((a, b) => a.entry.atMs - b.entry.atMs)
}

type Facts = Parameters<typeof compareBooks>[1]['payments'][number]
const US_PER_MS = 1000

export function codesShown({ payments, unasked, booked }: Seen): ReadonlySet<string> | undefined {
  if (!booked) return undefined
  const refused = payments.flatMap(({ made, reference, asked: { entry } }) =>
    made === 'no' && entry.status > 0 && reference !== undefined
      ? { reference, requestId: '', atUs: entry.atMs * US_PER_MS, status: entry.status }
      : [],
  )
  // The files do not tell of fees, nor in which currency a kind is by itself.
  const lines = booked.map(({ currency, feeMinor, ...line }) => line)
  const made = payments.filter((one) => one.made !== 'no')
  const facts = [
    ...made.flatMap((one) => {
      const facts = factsOf(one.kind, one.row, one)
      const twins = one.twins.map(({ requestId = '' }) => ({ ...facts, uuid: requestId, twinOf: facts.uuid }))
      return [facts, ...twins.map((twin): Facts => ({ ...twin, origin: 'scenario' }))]
    }),
    ...unasked.flatMap((row) => (row.kind === undefined ? [] : factsOf(row.kind, row))),
  ]
  const { differences } = compareBooks(lines, { payments: facts.map((one, seq) => ({ ...one, seq })), refused })
  const codes = new Set<string>(differences.flatMap(({ code }) => (findingRecords[code].level === 'error' ? code : [])))
  // Callbacks that alone said that it was paid may have been forged.
  const isToldOnly = made.some((one) => statusesOf(one).every(({ status, isTold }) => isTold || !isPaid(status)))
  return codes.has('taken_back') && isToldOnly ? codes.add('believed_paid') : codes
}

function factsOf(kind: string, row: ListedPayment | undefined, payment?: SeenPayment): Facts {
  const { direction, party } = paymentsService.kinds.of(kind)
  const { asked, ids = [], told = [], reference = row?.reference, amountMinor = row?.amountMinor } = payment ?? {}
  const sent = asked?.sent ?? {}
  const shown = payment ? statusesOf(payment) : []
  const status = row?.status ?? shown.at(-1)?.status ?? ''
  const ended = shown.find((one) => outcomeOf(one.status) !== 'open')
  const endedAtUs = ended ? ended.entry.atMs * US_PER_MS : null
  const createdAtUs = (asked?.entry.atMs ?? row?.createdMs ?? 0) * US_PER_MS
  const answered = !asked || !isUnanswered(asked)
  return {
    uuid: row?.requestId ?? [...ids][0] ?? `request ${asked?.nth}`,
    direction: direction === 'in' ? 'in' : direction === 'between' ? 'within' : 'out',
    ...{ kind, reference: reference ?? null, amountMinor: amountMinor ?? 0, status, outcome: outcomeOf(status) },
    party: textIn(sent, party ? [party.field] : []) ?? null,
    order: textIn(sent, ['accountReference', 'paymentReference'])?.trim().toUpperCase() ?? null,
    outcomes: [...shown.map((one) => outcomeOf(one.status)), outcomeOf(status)],
    ...{ answered, learntAtUs: answered ? createdAtUs : endedAtUs, endLearntAtUs: endedAtUs },
    ...{ createdAtUs, endedAtUs, sinceUs: createdAtUs, origin: asked ? 'request' : 'other', twinOf: null },
    callbacks: { written: told.length, untried: 0 },
    ...{ seq: 0, organisationId: 0, currency: 'KES', feeMinor: 0 },
    ...{ hidden: false, longKnowable: true, subscribed: false },
  }
}

const REFERENCES = ['referenceId', 'externalReference', 'reference', 'externalRef']
const IDS = ['requestId', 'uuid', 'id']

function recordsIn(answer: unknown): Record<string, unknown>[] {
  const data = isRecord(answer) ? (answer['data'] ?? answer) : answer
  return [data].flat().filter(isRecord)
}

/** Numbers are counted for each sort of record, so they name no payment. */
function idsOf(record: Record<string, unknown>): string[] {
  return IDS.flatMap((name) => {
    const id = record[name]
    return typeof id === 'string' && id.length > 8 ? [id.toLowerCase()] : []
  })
}

function textIn(record: Record<string, unknown>, names: readonly string[]): string | undefined {
  return names.map((name) => record[name]).find((value): value is string => typeof value === 'string' && value !== '')
}

export function amountIn(record: Record<string, unknown>): number | undefined {
  const amount = record['amount'] ?? record['requestedAmount']
  return amount === undefined || amount === null ? undefined : toMinor(Number(amount))
}

function pathOf(url: unknown): string | undefined {
  return typeof url === 'string' ? URL.parse(url)?.pathname : undefined
}
