/** Declares operations that read payments: one, its status, or all. */
import * as z from 'zod'
import type { Kind } from '../../core/model/kind.ts'
import type { Payment } from '../../core/model/payment.ts'
import type { View } from '../../core/model/view.ts'
import { type AnswerContract, type Operation, operation } from '../../http/operation.ts'
import type { EnvelopeSchema } from '../fields.ts'
import { enveloped, type ListQuery, listed, listQuery } from './answers.ts'
import { companyRead, findOwnPayment } from './find.ts'
import type { OfKind } from './payment-kind.ts'

interface Reading<Query, Request> extends Omit<Operation<undefined, Query>, 'method' | 'auth' | 'answer' | 'handle'> {
  answer: AnswerContract<EnvelopeSchema>
  data(view: View, payment: Payment<Request>): unknown
}

export function readsOne<Query extends { requestId: string; companyId?: string }, Request>(
  reading: Reading<Query, Request> & { query: z.ZodType<Query> },
): OfKind {
  const { data, ...contract } = reading
  return (kind: Kind<Request>) =>
    operation<undefined, Query>({
      ...contract,
      method: 'get',
      auth: 'bearer',
      handle: ({ core, caller, query: { requestId, companyId } }) => {
        const owner = companyId === undefined ? undefined : companyRead(core, caller, companyId)
        const payment = findOwnPayment(core, caller, requestId, kind, { company: owner })
        const status = contract.statusUnder?.(core.scenario.assumptions) ?? contract.answer.status
        return enveloped(status, messageOf(contract.answer), data(core, payment))
      },
    })
}

export function readsAll<Query extends { companyId?: string } | undefined, Request>(
  reading: Reading<Query, Request>,
): OfKind {
  const { data, query: own, ...contract } = reading
  return ({ name }) =>
    operation<undefined, { companyId?: string } & ListQuery>({
      ...contract,
      query: listQuery(own instanceof z.ZodObject ? own.shape : {}),
      method: 'get',
      auth: 'bearer',
      handle: ({ core, caller, query }) => {
        const owner = query.companyId === undefined ? caller : companyRead(core, caller, query.companyId)
        return listed(core, messageOf(contract.answer), { kind: name, owner, query }, (payment) =>
          data(core, payment as Payment<Request>),
        )
      },
    })
}

function messageOf({ schema }: AnswerContract<EnvelopeSchema>): string {
  return schema.shape.message.value
}
