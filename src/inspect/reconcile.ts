import type { Service } from '../core/model/kind.ts'
import type { World } from '../core/world.ts'
import type { Reconciled, RequestWithoutPayment } from './finding.ts'
import { askedIn, askedTooOften, compareBooks, toFinding } from './reconcile/compare.ts'
import { gather } from './reconcile/gather.ts'
import { match } from './reconcile/match.ts'
import { outcomeOf } from './reconcile/payment-facts.ts'
import { type BookedPayment, type Books, booksOfCsv, booksOfJson, decodeBooks } from './reconcile/read-books.ts'

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
  const all = [...differences.map((one) => toFinding(one, zone)), ...habits.findings((seq) => uuids.get(seq), zone)]
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
