import * as z from 'zod'
import { float } from '../../core/model/json.ts'
import { receiptOf, type View } from '../../core/model/kind.ts'
import { must } from '../../core/model/must.ts'
import type { JsonObject, Payment } from '../../core/model/payment.ts'
import { asChosen, type Chosen, chosen } from '../assumptions/assumptions.ts'
import { referenceUsed } from '../declarations/lookups.ts'
import { byIdOfCompany, kind, payoutMachine } from '../declarations/payment-kind.ts'
import {
  field,
  form,
  localDate,
  owner,
  type RecordFields,
  record,
  settable,
  shared,
  times,
  touched,
} from '../declarations/record.ts'
import { answered, constant, envelope, schemaField } from '../fields.ts'
import { atMost, EXAMPLE_REFERENCE, exampleCallbackUrl, type RequestRule, request } from '../requests/request.ts'

const SHORT_CODES = {
  'five-to-ten-digits': { pattern: /^\d{5,10}$/, expected: 'must be five to ten digits' },
  'five-to-seven-digits': { pattern: /^\d{5,7}$/, expected: 'must be five to seven digits' },
} as const

/** Under `short-code-format`, only some numbers can be business numbers. */
function businessNumberRules(chosen: Chosen): RequestRule[] {
  const choice = chosen['short-code-format']
  return choice === 'any' ? [] : [{ field: 'businessNumber', ...SHORT_CODES[choice], ground: 'short-code-format' }]
}

const ACCEPTED = 'Accept the service request successfully.'

const { requestId, floatAmount: amountField, status: statusField, uuid, pending, callbackUrl } = answered
const accountNumberField = constant(
  schemaField('specified', 'As sent; empty where a till payment had none (assumed).', z.string()),
  '',
  'convention: an account number or reference that was not sent',
)
const businessNumber = schemaField('specified', 'As sent.', z.string())

/** Specified. */
const shortCodeAccepted = record<ToShortCode>('ShortCodeAccepted', 'specified', {
  requestId: shared(requestId, 'uuid'),
  accountNumber: shared(accountNumberField, accountNumber),
  businessNumber: shared(businessNumber, ({ request }) => request.businessNumber),
  amount: shared(amountField, ({ payment }) => float(payment.amountMinor)),
  status: shared(pending, () => 'PENDING'),
})

/** For the status read and the callback. Specified; order published. */
const shortCodeStatus = record<ToShortCode>('ShortCodeStatus', 'specified', {
  accountNumber: shared(accountNumberField, accountNumber),
  businessNumber: shared(businessNumber, ({ request }) => request.businessNumber),
  requestId: shared(requestId, 'uuid'),
  amount: shared(amountField, ({ payment }) => float(payment.amountMinor)),
  status: shared(statusField, 'status'),
})

/** The published order of the last two fields, and the form of times, differ by kind. */
function shortCodeRecord(
  id: string,
  [first, last]: readonly ['transactionReceipt' | 'responseDescription', 'transactionReceipt' | 'responseDescription'],
  stamped: RecordFields<ToShortCode>,
) {
  const ends: RecordFields<ToShortCode> = {
    transactionReceipt: settable('Null until paid.', { ...form.textOrNull, usual: ['S…', 'success-record'] }, null),
    responseDescription: settable(
      'Null only of a payment that failed, where the assumption failed-description says so.',
      { ...form.textOrNull, usual: [ACCEPTED, 'published'] },
      ({ view, payment }) => unexplained(view, payment),
    ),
  }
  return record<ToShortCode>(id, 'specified', {
    id: shared(answered.id, 'id'),
    amount: shared(amountField, ({ payment }) => float(payment.amountMinor)),
    uuid: shared(uuid, 'uuid'),
    organisation: owner,
    accountNumber: shared(accountNumberField, accountNumber),
    businessNumber: shared(businessNumber, ({ request }) => request.businessNumber),
    remarks: field('As sent.', form.text),
    occasion: field('As sent.', form.text),
    originatorConversationId: field(
      "The operator's correlation id; uuid form published.",
      form.text,
      ({ view, payment }) => view.ids.uuid('originator', payment.seq),
    ),
    conversationId: settable(
      "The operator's own id; AG_ form published.",
      { ...form.text, usual: ['AG_…', 'published'] },
      ({ view, payment }) => conversationId(view, payment),
    ),
    callbackUrl: shared(callbackUrl, ({ payment }) => payment.callbackUrl ?? ''),
    ...stamped,
    status: shared(statusField, 'status'),
    responseCode: settable('0 in every sample.', { ...form.integer, usual: 'published' }, 0),
    receiverName: settable('Null until known.', form.textOrNull, null),
    [first]: must(ends[first]),
    [last]: must(ends[last]),
  })
}

function shortCodeExample(baseUrl: string) {
  return {
    amount: 1500,
    remarks: 'Office water',
    occasion: 'January',
    callbackUrl: exampleCallbackUrl(baseUrl),
    referenceId: EXAMPLE_REFERENCE,
  }
}

interface ToShortCode {
  businessNumber: string
  accountNumber?: string | undefined
  remarks: string
  occasion: string
}

function shortCodeOutcome(view: View, payment: Payment<ToShortCode>): JsonObject {
  return {
    receiverName: view.scenario.directory.business(payment.request.businessNumber).name,
    transactionReceipt: receiptOf(view, payment),
  }
}

function unexplained(view: View, { status }: Pick<Payment, 'status'>): string | null {
  if (status !== 'FAILED') return ACCEPTED
  return { 'as-accepted': ACCEPTED, null: null, empty: '' }[chosen(view)['failed-description']]
}

function accountNumber({ request }: Pick<Payment<ToShortCode>, 'request'>): string {
  return request.accountNumber ?? ''
}

/** `AG_20230420_2010759fd5662ef6d054`: the operator's date, then twenty hexadecimal digits. */
function conversationId(view: View, payment: Payment<ToShortCode>): string {
  const digits = view.ids.of('conversation', payment.seq).text(20, '0123456789abcdef')
  return `AG_${localDate(view, payment.createdAtUs).replaceAll('-', '')}_${digits}`
}

const common = {
  direction: 'out',
  party: { type: 'business', field: 'businessNumber', name: 'receiverName' },
  ends: ['SUCCESS', 'FAILED'],
  failure: { code: 'responseCode', text: 'responseDescription' },
  reference: { field: 'referenceId', used: referenceUsed },
  outcome: shortCodeOutcome,
  status: shortCodeStatus,
  callback: { record: shortCodeStatus },
} as const

/** Published. */
const textLimits = [
  atMost('accountNumber', 13, 'published'),
  atMost('remarks', 100, 'published'),
  atMost('occasion', 100, 'published'),
]

const tillRequest = request({
  id: 'TillRequest',
  basis: 'specified',
  fields: ({ text, optionalText, amount, httpUrl, referenceId }) => ({
    businessNumber: text('specified', 'The till that receives the money.', { max: 30, required: 'published' }),
    accountNumber: optionalText('specified', 'Not required for tills. At most 13 characters (published).'),
    amount: amount('specified', 'Kenyan shillings.', { required: 'published' }),
    remarks: text('specified', 'At most 100 characters (published).', { required: 'published' }),
    occasion: text('specified', 'At most 100 characters (published).', { required: 'published' }),
    callbackUrl: httpUrl('specified', 'Told the final outcome.', { required: 'published' }),
    referenceId: referenceId('specified'),
  }),
  rules: (chosen) => [...businessNumberRules(chosen), ...textLimits],
})

const tillRecord = shortCodeRecord(
  'TillPaymentRecord',
  ['transactionReceipt', 'responseDescription'],
  times('zeros-dropped'),
)

/** The published sample of this one read shows 201: assumption `status-read-code`. */
const tillStatusAnswer = envelope([200, 201], 'Its status', 'Success', shortCodeStatus.schema)

const tillListQuery = request({ fields: ({ publishedCompanyId }) => ({ companyId: publishedCompanyId() }) })

export const till = kind({
  ...common,
  name: 'till',
  phrase: 'a till payment',
  tag: 'Till payouts',
  base: '/api/sandbox/v1/till',
  machine: payoutMachine('till'),
  request: tillRequest,
  record: tillRecord,
  operations: ({ opens, single, status, all }) => [
    opens({
      id: 'createTillPayment',
      path: '',
      summary: 'Pay a till',
      description: 'Accepted as PENDING; the final outcome is sent to callbackUrl.',
      source: 'specification, Till payouts; published till/post',
      accepted: shortCodeAccepted,
      example: (baseUrl) => ({ businessNumber: '512345', ...shortCodeExample(baseUrl) }),
    }),
    single({
      id: 'getTillPayment',
      summary: 'Read one till payment',
      source: 'specification, Till payouts; published till/get_single',
      query: byIdOfCompany,
    }),
    status({
      id: 'getTillPaymentStatus',
      summary: 'Read the status of a till payment',
      description: 'Answers 200, or 201 as its published sample does, by the assumption status-read-code.',
      source: 'specification, Till payouts; published till/get_status',
      query: byIdOfCompany,
      answer: tillStatusAnswer,
      statusUnder: (inForce) => Number(asChosen(inForce)['status-read-code']),
    }),
    all({
      id: 'listTillPayments',
      summary: 'List till payments',
      source: 'published till/get_all',
      query: tillListQuery,
    }),
  ],
})

const paybillRequest = request({
  id: 'PaybillRequest',
  basis: 'specified',
  fields: ({ text, amount, httpUrl, referenceId }) => ({
    businessNumber: text('specified', 'The paybill that receives the money.', { max: 30, required: 'published' }),
    accountNumber: text('specified', 'The account under the paybill.', { max: 100, required: 'specified' }),
    amount: amount('specified', 'Kenyan shillings.', { required: 'published' }),
    remarks: text('specified', 'Free text.', { required: 'published' }),
    occasion: text('specified', 'Free text.', { required: 'published' }),
    callbackUrl: httpUrl('specified', 'Told the final outcome.', { required: 'published' }),
    referenceId: referenceId('specified'),
  }),
  rules: businessNumberRules,
})

const paybillRecord = shortCodeRecord(
  'PaybillPaymentRecord',
  ['responseDescription', 'transactionReceipt'],
  times('six-digits', touched),
)

export const paybill = kind({
  ...common,
  name: 'paybill',
  phrase: 'a paybill payment',
  tag: 'Paybill payouts',
  base: '/api/sandbox/v1/paybill',
  machine: payoutMachine('paybill'),
  request: paybillRequest,
  record: paybillRecord,
  operations: ({ opens, all, single, status }) => [
    opens({
      id: 'createPaybillPayment',
      path: '',
      summary: 'Pay a paybill',
      description:
        'Utilities, suppliers, statutory payments. Accepted as PENDING; the final outcome is sent to callbackUrl.',
      source: 'specification, Paybill payouts; published paybill/post',
      accepted: shortCodeAccepted,
      example: (baseUrl) => ({ businessNumber: '400200', accountNumber: 'ACC-88', ...shortCodeExample(baseUrl) }),
    }),
    all({
      id: 'listPaybillPayments',
      summary: 'List paybill payments',
      source: 'specification, Paybill payouts; published paybill/get_all',
    }),
    single({
      id: 'getPaybillPayment',
      summary: 'Read one paybill payment',
      source: 'published paybill/get_single',
    }),
    status({
      id: 'getPaybillPaymentStatus',
      summary: 'Read the status of a paybill payment',
      source: 'published paybill/get_status',
    }),
  ],
})
