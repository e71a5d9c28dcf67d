/**
 * Operations that simulate customers who pay in. No service call starts such payments, so without these the service's
 * lists of them stay empty.
 */
import * as z from 'zod'
import type { Command } from '../../../core/commands.ts'
import type { Core } from '../../../core/core.ts'
import type { Organisation } from '../../../core/model/payment.ts'
import { Refusal } from '../../../core/model/refusal.ts'
import { validate } from '../../../http/validate.ts'
import { paymentSummary } from '../../../inspect/present.ts'
import { paymentsService } from '../../../service/service.ts'
import { organisationOf } from '../control-context.ts'
import { controlOperation } from '../declared-operation.ts'
import { paymentSummaryShape } from './payment-answers.ts'

const collectPayment = controlOperation('payment.collect', {
  method: 'POST',
  path: '/collections/:way',
  summary: 'Simulate a customer payment',
  params: { way: 'How: stk, tz or bank.' },
  body: z.looseObject({}),
  takes: () => z.union(paymentsService.collections.map(({ given }) => given)),
  answer: paymentSummaryShape,
  status: 201,
  errors: ['NOT_FOUND', 'PAYMENT_LIMIT_EXCEEDED'],
  otherErrors: 'What a rule of the scenario refuses with.',
  async run({ env: { world } }, { params: { way }, body }) {
    const collection = paymentsService.collections.find((one) => one.way === way)
    if (!collection)
      throw new Refusal(
        'NOT_FOUND',
        `no customer pays by ${JSON.stringify(way)}; possible: ${paymentsService.collections.map((one) => one.way).join(', ')}`,
      )
    const given = validate(collection.given, body)
    const { organisationId } = given
    const organisation = organisationOf(world, typeof organisationId === 'string' ? organisationId : undefined)
    const { payment } = await world.perform(openCollectionCommand(world.core, collection, organisation, given))
    return paymentSummary(world.core, payment)
  },
})

export function openCollectionCommand(
  core: Core,
  collection: (typeof paymentsService)['collections'][number],
  organisation: Organisation,
  given: unknown,
): Command<'open-payment'> {
  return {
    command: 'open-payment',
    by: 'operator',
    kind: collection.kind,
    organisationId: organisation.id,
    ...collection.asked(core, given, organisation),
  }
}

export const collectionOperations = [collectPayment] as const
