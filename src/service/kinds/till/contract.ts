/** Requests and answers of till payments. */
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
  companyId,
  envelope,
  httpUrl,
  optionalCompanyId,
  optionalText,
  publishedEnvelope,
  readEnvelope,
  referenceId,
  requestIdQuery,
  text,
} from '../../fields.ts'
import { atMost, ruled } from '../../requests/request-rules.ts'

/** Published. */
const textLimits = [
  atMost('accountNumber', 13, 'published'),
  atMost('remarks', 100, 'published'),
  atMost('occasion', 100, 'published'),
]

export const tillRequest = ruled(
  openObject(() => ({
    businessNumber: text('specified', 'The till that receives the money.', { max: 30, required: 'published' }),
    accountNumber: optionalText('specified', 'Not required for tills. At most 13 characters (published).'),
    amount: amount('specified', 'Kenyan shillings.', { required: 'published' }),
    remarks: text('specified', 'At most 100 characters (published).', { required: 'published' }),
    occasion: text('specified', 'At most 100 characters (published).', { required: 'published' }),
    callbackUrl: httpUrl('specified', 'Told the final outcome.', { required: 'published' }),
    referenceId: referenceId('specified'),
  })).meta({ id: 'TillRequest', 'x-basis': 'specified' }),
  (chosen) => [...businessNumberRules(chosen), ...textLimits],
)

const { transactionReceipt, responseDescription } = shortCodeTail
const tillRecordSchema = closedObject(() => ({ ...shortCodeHead, transactionReceipt, responseDescription })).meta({
  id: 'TillPaymentRecord',
  'x-basis': 'specified',
})

export const tillAcceptedAnswer = envelope(201, 'Success', shortCodeAcceptedSchema)
export const tillAnswer = readEnvelope('Success', tillRecordSchema)
export const tillListAnswer = publishedEnvelope(200, 'Success', z.array(tillRecordSchema))
/** The published sample of this one read shows 201: assumption `status-read-code`. */
export const tillStatusAnswer = envelope([200, 201], 'Success', shortCodeStatusSchema)

export const tillQuery = openObject(() => ({
  requestId: requestIdQuery('specified'),
  companyId,
}))
export const allQuery = openObject(() => ({ companyId: optionalCompanyId }))
