/** Customers who pay by phone without a request; an operator plays them. */

import * as z from 'zod'
import { type Currency, toMinor } from '../../../core/model/money.ts'
import { must } from '../../../core/model/must.ts'
import type { JsonObject } from '../../../core/model/payment.ts'
import { refused } from '../../../core/model/refusal-reasons.ts'
import { countries } from '../../countries/countries.ts'
import { closedObject } from '../../declared/lazy-objects.ts'
import { httpUrl, text } from '../../fields.ts'
import type { Collection } from '../../parts.ts'
import { phoneOf } from '../../requests/phone-forms.ts'
import { stkRequest } from './contract.ts'

const given = closedObject(() => ({
  phoneNumber: stkRequest.shape.phoneNumber,
  amount: stkRequest.shape.amount,
  accountReference: text(
    'assumed',
    "Shown in the PIN prompt. Default: the organisation's unique reference.",
  ).optional(),
  description: text('assumed', 'Default: Payment.').optional(),
  callbackUrl: httpUrl('assumed', 'Told the outcome.').optional(),
  referenceId: text('assumed', 'A reference of your own.', { max: 200 }).optional(),
  organisationId: z.string().optional(),
}))

function byPhone(way: string, currency: Currency): Collection<z.output<typeof given>> {
  return {
    way,
    phrase: 'a customer pays by phone',
    given,
    asked: (core, { callbackUrl, referenceId, organisationId: _, ...sent }, organisation) => ({
      currency,
      amountMinor: must(toMinor(sent.amount)),
      request: {
        phoneNumber: phoneOf({ core, refuse: refused }, sent.phoneNumber, currency),
        amount: sent.amount,
        accountReference: sent.accountReference ?? organisation.uniqueReference,
        description: sent.description ?? 'Payment',
        currencyCode: countries.ofCurrency(currency).spelling,
      } satisfies JsonObject,
      ...(referenceId && { referenceId }),
      ...(callbackUrl && { callbackUrl }),
    }),
  }
}

export const phoneCollections = [byPhone('stk', 'KES'), byPhone('tz', 'TZS')]
