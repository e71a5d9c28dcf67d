/** Requests and answers shared by till and paybill payments. */
import * as z from 'zod'
import type { Chosen } from '../assumed/assumptions.ts'
import { closedObject } from '../declared/lazy-objects.ts'
import { answered, known, localTimestamp, organisationSummarySchema, usual } from '../fields.ts'
import { EXAMPLE_REFERENCE, exampleCallbackUrl } from '../requests/example-values.ts'
import type { RequestRule } from '../requests/request-rules.ts'

const SHORT_CODES = {
  'five-to-ten-digits': { pattern: /^\d{5,10}$/, expected: 'must be five to ten digits' },
  'five-to-seven-digits': { pattern: /^\d{5,7}$/, expected: 'must be five to seven digits' },
} as const

/** Under `short-code-format`, only some numbers can be business numbers. */
export function businessNumberRules(chosen: Chosen): RequestRule[] {
  const choice = chosen['short-code-format']
  return choice === 'any' ? [] : [{ field: 'businessNumber', ...SHORT_CODES[choice], ground: 'short-code-format' }]
}

const { requestId, floatAmount: amount, status, id, uuid, pending, callbackUrl } = answered
const accountNumber = usual(
  known('specified', 'As sent; empty where a till payment had none (assumed).', z.string()),
  '',
  'convention: an account number or reference that was not sent',
)
const businessNumber = known('specified', 'As sent.', z.string())

export const shortCodeAcceptedSchema = closedObject(() => ({
  requestId,
  accountNumber,
  businessNumber,
  amount,
  status: pending,
})).meta({ id: 'ShortCodeAccepted', 'x-basis': 'specified' })

export const shortCodeStatusSchema = closedObject(() => ({
  accountNumber,
  businessNumber,
  requestId,
  amount,
  status,
})).meta({
  id: 'ShortCodeStatus',
  'x-basis': 'specified',
})

export const shortCodeHead = {
  id,
  amount,
  uuid,
  organisation: organisationSummarySchema,
  accountNumber,
  businessNumber,
  remarks: known('specified', 'As sent.', z.string()),
  occasion: known('specified', 'As sent.', z.string()),
  originatorConversationId: known('specified', "The operator's correlation id; uuid form published.", z.string()),
  conversationId: usual(
    known('specified', "The operator's own id; AG_ form published.", z.string()),
    'AG_…',
    'published',
  ),
  callbackUrl,
  createdAt: localTimestamp,
  updatedAt: localTimestamp,
  status,
  responseCode: usual(known('specified', '0 in every sample.', z.int()), 0, 'published'),
  receiverName: known('specified', 'Null until known.', z.string().nullable()),
}
export const shortCodeTail = {
  transactionReceipt: usual(known('specified', 'Null until paid.', z.string().nullable()), 'S…', 'success-record'),
  responseDescription: usual(
    known(
      'specified',
      'Null only of a payment that failed, where the assumption failed-description says so.',
      z.string().nullable(),
    ),
    'Accept the service request successfully.',
    'published',
  ),
}

export function shortCodeExample(baseUrl: string) {
  return {
    amount: 1500,
    remarks: 'Office water',
    occasion: 'January',
    callbackUrl: exampleCallbackUrl(baseUrl),
    referenceId: EXAMPLE_REFERENCE,
  }
}
