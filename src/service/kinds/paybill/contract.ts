/** Requests and answers of paybill payments. */
import * as z from 'zod'
import { closedObject, openObject } from '../../declared/lazy-objects.ts'
import {
  businessNumberRules,
  shortCodeAcceptedSchema,
  shortCodeHead,
  shortCodeStatusSchema,
  shortCodeTail,
} from '../../families/short-code.ts'
import {
  amount,
  envelope,
  httpUrl,
  publishedEnvelope,
  readEnvelope,
  referenceId,
  requestIdQuery,
  text,
} from '../../fields.ts'
import { ruled } from '../../requests/request-rules.ts'

export const paybillRequest = ruled(
  openObject(() => ({
    businessNumber: text('specified', 'The paybill that receives the money.', { max: 30, required: 'published' }),
    accountNumber: text('specified', 'The account under the paybill.', { max: 100, required: 'specified' }),
    amount: amount('specified', 'Kenyan shillings.', { required: 'published' }),
    remarks: text('specified', 'Free text.', { required: 'published' }),
    occasion: text('specified', 'Free text.', { required: 'published' }),
    callbackUrl: httpUrl('specified', 'Told the final outcome.', { required: 'published' }),
    referenceId: referenceId('specified'),
  })).meta({ id: 'PaybillRequest', 'x-basis': 'specified' }),
  businessNumberRules,
)

const { transactionReceipt, responseDescription } = shortCodeTail
const paybillRecordSchema = closedObject(() => ({ ...shortCodeHead, responseDescription, transactionReceipt })).meta({
  id: 'PaybillPaymentRecord',
  'x-basis': 'specified',
})

export const paybillAcceptedAnswer = envelope(201, 'Success', shortCodeAcceptedSchema)
export const paybillAnswer = publishedEnvelope(200, 'Success', paybillRecordSchema)
export const paybillListAnswer = readEnvelope('Success', z.array(paybillRecordSchema))
export const paybillStatusAnswer = publishedEnvelope(200, 'Success', shortCodeStatusSchema)

export const paybillQuery = openObject(() => ({ requestId: requestIdQuery('published') }))
