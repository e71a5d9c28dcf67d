/** Requests and answers shared by till and paybill payments. */
import * as z from 'zod'
import { float } from '../../core/model/json.ts'
import type { View } from '../../core/model/kind.ts'
import { type JsonObject, type Payment, receiptOf } from '../../core/model/payment.ts'
import { type Chosen, chosen } from '../assumed/assumptions.ts'
import { closedObject } from '../declared/lazy-objects.ts'
import { localDate, organisationSummary, reported, timestamps } from '../declared/record-parts.ts'
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

const { requestId, floatAmount: amountField, status: statusField, id, uuid, pending, callbackUrl } = answered
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

export const shortCodeHead = {
  id,
  amount: amountField,
  uuid,
  organisation: organisationSummarySchema,
  accountNumber: accountNumberField,
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
  status: statusField,
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

// Records of till and paybill payments.

export interface ToShortCode {
  businessNumber: string
  accountNumber?: string | undefined
  remarks: string
  occasion: string
}

const ACCEPTED = 'Accept the service request successfully.'

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

/** The published order of the last two fields differs by kind. */
export function shortCodeFields(view: View, payment: Payment<ToShortCode>, form: Parameters<typeof timestamps>[2]) {
  const { request } = payment
  const details = reported(view, payment)
  return {
    id: payment.id,
    amount: float(payment.amountMinor),
    uuid: payment.uuid,
    organisation: organisationSummary(view, payment.organisationId),
    accountNumber: accountNumber(payment),
    businessNumber: request.businessNumber,
    remarks: request.remarks,
    occasion: request.occasion,
    originatorConversationId: view.ids.uuid('originator', payment.seq),
    conversationId: details['conversationId'] ?? conversationId(view, payment),
    callbackUrl: payment.callbackUrl ?? '',
    ...timestamps(view, payment, form),
    status: payment.status,
    responseCode: details['responseCode'] ?? 0,
    receiverName: details['receiverName'] ?? null,
    responseDescription: details['responseDescription'] ?? unexplained(view, payment),
    transactionReceipt: details['transactionReceipt'] ?? null,
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
