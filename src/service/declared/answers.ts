/** The envelope of most answers, and lists of any length. */
import * as z from 'zod'
import type { Core } from '../../core/core.ts'
import type { PaymentFilter } from '../../core/model/filters.ts'
import type { Organisation, Payment } from '../../core/model/payment.ts'
import type { Answer } from '../../http/operation.ts'
import { chosen } from '../assumed/assumptions.ts'
import { optional } from '../fields.ts'
import { growing } from '../requests/more-fields.ts'
import { asRead, visibleTo } from './find.ts'

export function enveloped(status: number, message: string, data: unknown): Answer {
  return { status, body: { status, message, data } }
}

/** Records. Longer lists are streamed, because their text would take too much memory. */
const AT_ONCE_MAX = 500

/** Records per page. Assumed (`list-pages`). */
export const PAGE_SIZE = 20

export const LAST_PAGE = 500

export interface ListQuery {
  page?: string
}

export function listQuery<Shape extends z.ZodRawShape>(own: Shape) {
  const query = growing(z.object(own), (chosen) => ({
    ...(chosen['list-pages'] === 'twenty' && {
      page: optional('assumed', 'Which page, counted from 0.', z.string().regex(/^\d{1,9}$/, 'must be digits'), {
        pattern: 'list-pages',
      }),
    }),
  }))
  return query as z.ZodType<z.infer<typeof query> & ListQuery>
}

interface Asked {
  kind: string
  owner: Organisation
  query: ListQuery
}

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

export function listedWhere(
  core: Core,
  message: string,
  { wanted, query }: { wanted: PaymentFilter } & Pick<Asked, 'query'>,
  present: (payment: Payment) => unknown,
): Answer {
  const choices = chosen(core)
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
