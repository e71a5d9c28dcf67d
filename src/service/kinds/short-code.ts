/** Requests and answers shared by till and paybill payments. */
import * as z from 'zod'
import { float } from '../../core/model/json.ts'
import type { View } from '../../core/model/kind.ts'
import { type JsonObject, type Payment, receiptOf } from '../../core/model/payment.ts'
import { type Chosen, chosen } from '../assumed/assumptions.ts'
import { type Fields, integer, ofText, record, textOrNull } from '../declared/record.ts'
import { localDate, summaryOf } from '../declared/record-parts.ts'
import { answered, known, organisationSummarySchema, usual } from '../fields.ts'
import { EXAMPLE_REFERENCE, exampleCallbackUrl } from '../requests/example-values.ts'
import { closedObject } from '../requests/lazy-objects.ts'
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

const ACCEPTED = 'Accept the service request successfully.'

const { requestId, floatAmount: amountField, status: statusField, uuid, pending, callbackUrl } = answered
const accountNumberField = usual(
  known('specified', 'As sent; empty where a till payment had none (assumed).', z.string()),
  '',
  'convention: an account number or reference that was not sent',
)
const businessNumber = known('specified', 'As sent.', z.string())

export const shortCodeAcceptedSchema = closedObject(() => ({
  requestId,
  accountNumber: accountNumberField,
  businessNumber,
  amount: amountField,
  status: pending,
})).meta({ id: 'ShortCodeAccepted', 'x-basis': 'specified' })

export const shortCodeStatusSchema = closedObject(() => ({
  accountNumber: accountNumberField,
  businessNumber,
  requestId,
  amount: amountField,
  status: statusField,
})).meta({
  id: 'ShortCodeStatus',
  'x-basis': 'specified',
})

/** The published order of the last two fields, and the form of times, differ by kind. */
export function shortCodeRecord(
  id: string,
  [first, last]: readonly ['transactionReceipt' | 'responseDescription', 'transactionReceipt' | 'responseDescription'],
  timesOf: (fields: Fields<ToShortCode>) => ReturnType<Fields<ToShortCode>['times']>,
) {
  return record<ToShortCode>(id, 'specified', (fields) => {
    const { field, settable, shared } = fields
    const ends = {
      transactionReceipt: settable('Null until paid.', { ...textOrNull, usual: ['S…', 'success-record'] }, null),
      responseDescription: settable(
        'Null only of a payment that failed, where the assumption failed-description says so.',
        { ...textOrNull, usual: [ACCEPTED, 'published'] },
        ({ view, payment }) => unexplained(view, payment),
      ),
    }
    return {
      id: shared(answered.id, ({ payment }) => payment.id),
      amount: shared(amountField, ({ payment }) => float(payment.amountMinor)),
      uuid: shared(uuid, ({ payment }) => payment.uuid),
      organisation: shared(organisationSummarySchema, summaryOf),
      accountNumber: shared(accountNumberField, ({ payment }) => accountNumber(payment)),
      businessNumber: shared(businessNumber, ({ request }) => request.businessNumber),
      remarks: field('As sent.', ofText, ({ request }) => request.remarks),
      occasion: field('As sent.', ofText, ({ request }) => request.occasion),
      originatorConversationId: field(
        "The operator's correlation id; uuid form published.",
        ofText,
        ({ view, payment }) => view.ids.uuid('originator', payment.seq),
      ),
      conversationId: settable(
        "The operator's own id; AG_ form published.",
        { ...ofText, usual: ['AG_…', 'published'] },
        ({ view, payment }) => conversationId(view, payment),
      ),
      callbackUrl: shared(callbackUrl, ({ payment }) => payment.callbackUrl ?? ''),
      ...timesOf(fields),
      status: shared(statusField, ({ payment }) => payment.status),
      responseCode: settable('0 in every sample.', { ...integer, usual: 'published' }, 0),
      receiverName: settable('Null until known.', textOrNull, null),
      [first]: ends[first],
      [last]: ends[last],
    }
  })
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

// Records of till and paybill payments.

export interface ToShortCode {
  businessNumber: string
  accountNumber?: string | undefined
  remarks: string
  occasion: string
}

/** Specified. */
export function shortCodeAccepted(payment: Payment<ToShortCode>) {
  return {
    requestId: payment.uuid,
    accountNumber: accountNumber(payment),
    businessNumber: payment.request.businessNumber,
    amount: float(payment.amountMinor),
    status: 'PENDING',
  }
}

/** For the status read and the callback. Specified; order published. */
export function shortCodeStatus(_view: View, payment: Payment<ToShortCode>) {
  return {
    accountNumber: accountNumber(payment),
    businessNumber: payment.request.businessNumber,
    requestId: payment.uuid,
    amount: float(payment.amountMinor),
    status: payment.status,
  }
}

export function shortCodeOutcome(view: View, payment: Payment<ToShortCode>): JsonObject {
  return {
    receiverName: view.scenario.directory.business(payment.request.businessNumber).name,
    transactionReceipt: receiptOf(view, payment),
  }
}

function unexplained(view: View, { status }: Pick<Payment, 'status'>): string | null {
  if (status !== 'FAILED') return ACCEPTED
  return { 'as-accepted': ACCEPTED, null: null, empty: '' }[chosen(view)['failed-description']]
}

/** A till needs no account. */
function accountNumber({ request }: Payment<ToShortCode>): string {
  return request.accountNumber ?? ''
}

/** `AG_20230420_2010759fd5662ef6d054`: the operator's date, then twenty hexadecimal digits. */
function conversationId(view: View, payment: Payment<ToShortCode>): string {
  const digits = view.ids.of('conversation', payment.seq).text(20, '0123456789abcdef')
  return `AG_${localDate(view, payment.createdAtUs).replaceAll('-', '')}_${digits}`
}
