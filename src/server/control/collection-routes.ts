import { Hono } from 'hono'
import { z } from 'zod'
import type { Command } from '../../engine/commands.ts'
import { paymentSummary } from '../../explain/present.ts'
import { type Currency, toMinor } from '../../model/money.ts'
import type { JsonObject, Organisation } from '../../model/payment.ts'
import { amount, httpUrl } from '../../service/fields.ts'
import { phoneOf } from '../../service/phone.ts'
import { type ControlContext, type ControlEnv, json, organisationOf, takes } from './control-context.ts'

const mobile = z.strictObject({
  phoneNumber: z.string().min(1, 'must not be empty'),
  amount: amount('assumed', 'What the customer pays.'),
  accountReference: z.string().min(1).max(100).optional(),
  description: z.string().min(1).max(200).optional(),
  callbackUrl: httpUrl('assumed', 'Told the outcome.').optional(),
  referenceId: z.string().min(1).max(200).optional(),
  organisationId: z.string().optional(),
})
export const bank = z.strictObject({
  amount: amount('assumed', 'What was paid in.'),
  accountNumber: z.string().min(1).max(40).optional(),
  description: z.string().min(1).max(200).optional(),
  organisationId: z.string().optional(),
})

/** A customer pays in: what no call of the service starts, so that its look-ups have something to show. */
export function collectionRoutes() {
  return new Hono<ControlEnv>()
    .post('/_mfano/collections/stk', takes(mobile), async (c) =>
      json(c, await collectByPhone(c, c.req.valid('json'), 'KES'), 201),
    )
    .post('/_mfano/collections/tz', takes(mobile), async (c) =>
      json(c, await collectByPhone(c, c.req.valid('json'), 'TZS'), 201),
    )

    .post('/_mfano/collections/bank', takes(bank), async (c) => {
      const given = c.req.valid('json')
      const { world } = c.env
      const organisation = organisationOf(world, given.organisationId)
      const { payment } = await world.perform(bankCollection(organisation, given))
      return json(c, paymentSummary(world.core, payment), 201)
    })
}

/** What a customer's payment into the account of an organisation asks of a world. */
export function bankCollection(
  { id, uniqueReference }: Organisation,
  { amount, accountNumber, description }: z.output<typeof bank>,
): Command<'open-payment'> {
  return {
    command: 'open-payment',
    by: 'operator',
    kind: 'bank-collection',
    organisationId: id,
    currency: 'KES',
    amountMinor: toMinor(amount) as number,
    request: {
      amount,
      // Money into a wallet names its owner by the unique reference (published, wallet funding).
      accountNumber: accountNumber ?? `99000${uniqueReference}`,
      description: description ?? 'Payment received',
    },
  }
}

async function collectByPhone(c: ControlContext, given: z.output<typeof mobile>, currency: Currency) {
  const { world } = c.env
  const phoneNumber = phoneOf(world.core, given.phoneNumber, currency)
  const organisation = organisationOf(world, given.organisationId)
  const { payment } = await world.perform({
    command: 'open-payment',
    by: 'operator',
    kind: 'stk',
    organisationId: organisation.id,
    currency,
    amountMinor: toMinor(given.amount) as number,
    request: {
      phoneNumber,
      amount: given.amount,
      accountReference: given.accountReference ?? organisation.uniqueReference,
      description: given.description ?? 'Payment',
      currencyCode: currency === 'KES' ? 'KSH' : currency,
    } as JsonObject,
    ...(given.referenceId && { referenceId: given.referenceId }),
    ...(given.callbackUrl && { callbackUrl: given.callbackUrl }),
  })
  return paymentSummary(world.core, payment)
}
