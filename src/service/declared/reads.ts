/** Declares operations that read payments: one, its status, or all. */
import * as z from 'zod'
import type { Kind } from '../../core/model/kind.ts'
import type { Payment } from '../../core/model/payment.ts'
import type { View } from '../../core/model/view.ts'
import { type AnswerContract, type Operation, operation } from '../../http/operation.ts'
import type { EnvelopeSchema } from '../fields.ts'
import { enveloped, type ListQuery, listed, listQuery } from './answers.ts'
import {
  companyRead,
  findOwnPayment,
  type OrganisationReason,
  organisationReasons,
  type PaymentReason,
  paymentReasons,
} from './find.ts'
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
    operation<undefined, Query, undefined, PaymentReason | OrganisationReason>({
      ...contract,
      refuses: [...paymentReasons, ...companyReasons(contract.query)],
      method: 'get',
      auth: 'bearer',
      handle: (call) => {
        const { core, query } = call
        const owner = query.companyId === undefined ? undefined : companyRead(call, query.companyId)
        const payment = findOwnPayment(call, query.requestId, kind, { company: owner })
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
    operation<undefined, { companyId?: string } & ListQuery, undefined, OrganisationReason>({
      ...contract,
      refuses: companyReasons(own),
      query: listQuery(own instanceof z.ZodObject ? own.shape : {}),
      method: 'get',
      auth: 'bearer',
      handle: (call) => {
        const { core, caller, query } = call
        const owner = query.companyId === undefined ? caller : companyRead(call, query.companyId)
        return listed(core, messageOf(contract.answer), { kind: name, owner, query }, (payment) =>
          data(core, payment as Payment<Request>),
        )
      },
    })
}

/** Only some reads take the id of a company. */
function companyReasons(query: z.ZodType | undefined): readonly OrganisationReason[] {
  return query instanceof z.ZodObject && 'companyId' in query.shape ? organisationReasons : []
}

function messageOf({ schema }: AnswerContract<EnvelopeSchema>): string {
  return schema.shape.message.value
}
