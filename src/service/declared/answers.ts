/** What most answers are wrapped in, and lists of any length. */
import * as z from 'zod'
import type { Core } from '../../core/core.ts'
import type { PaymentFilter } from '../../core/model/filters.ts'
import type { Organisation, Payment } from '../../core/model/payment.ts'
import type { Answer } from '../../http/operation.ts'
import { chosen } from '../assumed/assumptions.ts'
import { optional } from '../fields.ts'
import { growing } from '../requests/more-fields.ts'
import { asRead, visibleTo } from './find.ts'

/** `{"status":200,"message":…,"data":…}` */
export function enveloped(status: number, message: string, data: unknown): Answer {
  return { status, body: { status, message, data } }
}

/** Lists up to this many are answered at once; longer ones are streamed. */
const AT_ONCE_MAX = 500

/** As many records are on a page, where lists have pages. Assumed (`list-pages`). */
export const PAGE_SIZE = 20

/** What is beyond is not looked for. */
export const LAST_PAGE = 500

/** What a list can be asked for under some choices: no source shows a page or a filter. */
export interface ListQuery {
  /** From 0. */
  page?: string
  status?: string
}

/** The query of a list, with its own fields. */
export function listQuery<Shape extends z.ZodRawShape>(own: Shape) {
  const query = growing(z.object(own), (chosen) => ({
    ...(chosen['list-pages'] === 'twenty' && {
      page: optional('assumed', 'Which page, counted from 0.', z.string().regex(/^\d{1,9}$/, 'must be digits'), {
        pattern: 'list-pages',
      }),
    }),
    ...(chosen['list-filters'] === 'status' && {
      status: optional('assumed', 'Only records with this status.', z.string()),
    }),
  }))
  return query as z.ZodType<z.infer<typeof query> & ListQuery>
}

/** What somebody asks of a list. */
interface Asked {
  kind: string
  owner: Organisation
  query: ListQuery
}

/** All payments of a kind, presented one by one, in an envelope. Scope, order, filters and pages are assumptions. */
export function listed(
  core: Core,
  message: string,
  { kind, owner, query }: Asked,
  present: (payment: Payment) => unknown,
): Answer {
  const choices = chosen(core)
  const wanted: PaymentFilter = {
    kinds: [kind],
    organisationIds: choices['list-scope'] === 'own' ? [owner.id] : visibleTo(core, owner),
    ...(choices['tanzania-in-lists'] === 'left-out' && { notCurrency: 'TZS' }),
  }
  return listedWhere(core, message, { wanted, query }, present)
}

/** The payments that a filter describes, in an envelope. Order, further filters and pages are assumptions. */
export function listedWhere(
  core: Core,
  message: string,
  { wanted: all, query }: { wanted: PaymentFilter } & Pick<Asked, 'query'>,
  present: (payment: Payment) => unknown,
): Answer {
  const choices = chosen(core)
  const isFiltered = choices['list-filters'] === 'status' && query.status !== undefined
  const wanted = isFiltered ? { ...all, status: query.status } : all
  if (choices['list-pages'] === 'whole') return whole(core, message, wanted, present)
  const page = Math.min(LAST_PAGE, Number(query.page ?? 0))
  const newestFirst = choices['list-order'] === 'newest-first'
  const upTo = core.store.payments.page(wanted, { limit: (page + 1) * PAGE_SIZE, newestFirst })
  return enveloped(
    200,
    message,
    upTo.slice(page * PAGE_SIZE).map((payment) => present(asRead(core, payment))),
  )
}

function whole(core: Core, message: string, wanted: PaymentFilter, present: (payment: Payment) => unknown): Answer {
  const newestFirst = chosen(core)['list-order'] === 'newest-first'
  const { payments } = core.store
  const first = payments.page(wanted, { limit: AT_ONCE_MAX, newestFirst })
  if (first.length < AT_ONCE_MAX)
    return enveloped(
      200,
      message,
      first.map((payment) => present(asRead(core, payment))),
    )
  const items = function* () {
    for (const payment of payments.each(wanted, newestFirst)) yield present(asRead(core, payment))
  }
  return {
    status: 200,
    list: { before: `{"status":200,"message":${JSON.stringify(message)},"data":[`, items: items(), after: ']}' },
  }
}
