/** What happened in a world, for somebody whose test has just failed: as data, and as text for people. */
import { counted } from '../model/counted.ts'
import { formatInstant } from '../model/time.ts'
import { type Span, spanOf } from '../questions/span.ts'
import type { JournalEntry } from '../store/journal-table.ts'
import type { Run } from '../store/run-tables.ts'
import type { World } from '../world/world.ts'
import { explainPayment } from './explain-payment.ts'
import { explanationText } from './explanation-text.ts'
import { requestEntry } from './present.ts'

/** So many payments and refused requests are told of, the newest ones. */
const TOLD = 10
/** Refused requests are looked for among so many. */
const LOOKED_AT = 1000
/** Of an answer that refuses, so many characters are told. */
const ANSWER_MAX = 300

export type Report = ReturnType<typeof reportOn>

/** The newest payments of a run or of the whole world, each explained, and the newest requests that were refused; oldest first. */
export function reportOn(world: World, baseUrl: string, run?: Run) {
  const { core } = world
  const { clock, store } = core
  const nextDueUs = world.timekeeper.nextDueUs()
  const span = spanOf(run)
  const within = (of: 'payment' | 'request', seq: number) => seq > (span[of].after ?? 0)
  const payments = store.payments
    .page({}, { limit: TOLD, newestFirst: true, ...(span.payment.before && { afterSeq: span.payment.before }) })
    .filter(({ seq }) => within('payment', seq))
  const requests = store.journal
    .page({ limit: LOOKED_AT, newestFirst: true, before: span.request.before })
    .filter(({ seq }) => within('request', seq))
  const refused = requests.filter(({ status }) => status >= 400).slice(0, TOLD)
  return {
    world: world.id,
    now: formatInstant(clock.now()),
    mode: clock.state().mode,
    /** Simulated time; null when nothing is due. */
    nextDue: nextDueUs === undefined ? null : formatInstant(nextDueUs),
    counts: countsIn(world, span),
    payments: payments.reverse().map((payment) => explainPayment(world, payment, baseUrl)),
    refused: refused.reverse().map((entry: JournalEntry) => requestEntry(core, entry)),
  }
}

/** How many payments and requests there were in a span. */
export function countsIn({ core: { store } }: World, span: Span) {
  const last = { payment: store.counters.current('payment'), request: store.counters.current('journal') }
  const between = (of: 'payment' | 'request') => (span[of].before ?? last[of] + 1) - 1 - (span[of].after ?? 0)
  return { payments: between('payment'), requests: between('request') }
}

/** The report for the output of a test; no colours. */
export function reportText({ world, now, mode, nextDue, counts, payments, refused }: Report): string {
  const next = nextDue === null ? 'nothing is due' : `next due ${nextDue}`
  const made = `${counted(counts.payments, 'payment')}, ${counted(counts.requests, 'request')}`
  const parts = [
    `mfano: in the world ${world} it is ${now} (${mode}), ${next}; ${made}.`,
    ...payments.map((one) => explanationText(one)),
    ...refused.map((one) => refusalLine(one)),
  ]
  return `${parts.join('\n\n')}\n`
}

function refusalLine({ at, method, path, status, response, requestId, fault }: Report['refused'][number]): string {
  const said = typeof response === 'string' ? response : JSON.stringify(response)
  return `${at} ${method} ${path} was answered ${status} (${fault ?? said?.slice(0, ANSWER_MAX) ?? 'no body'}); ${requestId}`
}
