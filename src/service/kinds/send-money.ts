import type * as z from 'zod'
import { float } from '../../core/model/json.ts'
import { receiptOf, type View } from '../../core/model/kind.ts'
import type { JsonObject, Payment } from '../../core/model/payment.ts'
import { countries } from '../countries/countries.ts'
import { referenceUsed } from '../declarations/lookups.ts'
import { byIdOfCompany, kind, payoutMachine, tanzanian } from '../declarations/payment-kind.ts'
import { field, form, owner, record, settable, shared, times } from '../declarations/record.ts'
import { answered, companyId, published, statusOrAccepted } from '../fields.ts'
import {
  EXAMPLE_REFERENCE,
  exampleCallbackUrl,
  forCurrency,
  neededBy,
  neededElsewhere,
  phoneForm,
  phoneOf,
  phoneRules,
  request,
} from '../requests/request.ts'

/** Published. */
const TZ_PAYOUT_SERVICES = ['TZ-TIGO-B2C', 'TZ-AIRTEL-B2C', 'TZ-HALOTEL-B2C'] as const
/** In shillings. Specified. */
export const TZS_MINIMUM = 1000

const WITHOUT_CENTS = ['TZS', 'UGX'] as const

/** Fields that each currency needs. Specified. */
const NEEDED = {
  KSH: ['remarks', 'occasion'],
  TZS: ['narration', 'firstName', 'lastName', 'serviceCode'],
  UGX: ['narration', 'customerName'],
} as const
const ofOtherCurrencies = neededElsewhere(NEEDED)

export const sendMoneyRequest = request({
  id: 'SendMoneyRequest',
  basis: 'specified',
  fields: ({ text, optionalText, optional, amount, httpUrl, mobileCurrencyCode, referenceId }) => ({
    phoneNumber: text('specified', 'The receiver: international form, no plus.', { max: 30, required: 'published' }),
    amount: amount('specified', 'The amount that the receiver gets. TZS: at least 1000.', { required: 'published' }),
    currencyCode: mobileCurrencyCode('specified', 'KSH unless given (published).'),
    remarks: optionalText('specified', 'Required when KSH.'),
    occasion: optionalText('specified', 'Required when KSH.'),
    narration: optionalText('specified', 'Required when TZS or UGX.'),
    firstName: optionalText('specified', 'Required when TZS.'),
    lastName: optionalText('specified', 'Required when TZS.'),
    serviceCode: optionalText('specified', `Required when TZS: ${TZ_PAYOUT_SERVICES.join(', ')} (published).`),
    customerName: optionalText('specified', 'Required when UGX: first and last name together.'),
    callbackUrl: optional(
      'specified',
      'Told the final outcome. Required when KSH or TZS (published).',
      httpUrl('specified', 'Told the final outcome.'),
    ),
    referenceId: referenceId('specified'),
  }),
  rules: (chosen) => [
    ...neededBy(NEEDED, 'specified'),
    ...neededBy({ KSH: ['callbackUrl'], TZS: ['callbackUrl'] }, 'published'),
    ...(chosen['ugx-callback'] === 'required' ? neededBy({ UGX: ['callbackUrl'] }, 'ugx-callback') : []),
    ...phoneRules('phoneNumber', chosen),
    ...(chosen['whole-shillings'] === 'whole' ? WITHOUT_CENTS : []).map((currency) =>
      forCurrency(currency, {
        field: 'amount',
        multipleOf: 1,
        expected: `must be whole ${currency}`,
        ground: 'whole-shillings',
      }),
    ),
    forCurrency('TZS', {
      field: 'amount',
      minimum: TZS_MINIMUM,
      expected: `must be at least ${TZS_MINIMUM} when TZS`,
      ground: 'specified',
      decidedBy: 'scenario',
    }),
    forCurrency('TZS', {
      field: 'serviceCode',
      enum: TZ_PAYOUT_SERVICES,
      expected: `must be one of ${TZ_PAYOUT_SERVICES.join(', ')}`,
      ground: 'published',
    }),
  ],
})
type SendMoneyRequest = z.infer<typeof sendMoneyRequest>

const { requestId, uuid, floatAmount: wireAmount } = answered

const AS_SENT = 'As sent.'

/** Specified. */
const sendMoneyAccepted = record<SendMoneyRequest>('SendMoneyAccepted', 'specified', {
  requestId: shared(requestId, 'uuid'),
  amount: shared(wireAmount, ({ payment }) => float(payment.amountMinor)),
  phoneNumber: field(AS_SENT, form.text),
  status: shared(answered.pending, () => 'PENDING'),
})

/** For `send-money/status` and the callback. Published. */
const sendMoneyStatus = record<SendMoneyRequest>('SendMoneyStatus', 'published', {
  // Payout callbacks are matched by it (specification, Events).
  requestId: shared(requestId, 'uuid'),
  phoneNumber: field(AS_SENT, form.text),
  status: shared(published.status, 'status'),
  amount: shared(published.floatAmount, ({ payment }) => float(payment.amountMinor)),
})

/** Also of Tanzania payouts. Fields specified, key order published. */
const sendMoneyRecord = record<SendMoneyRequest>('MobileMoneyPayoutRecord', 'specified', {
  id: shared(answered.id, 'id'),
  amount: shared(wireAmount, ({ payment }) => float(payment.amountMinor)),
  uuid: shared(uuid, 'uuid'),
  organisation: owner,
  phoneNumber: field(AS_SENT, form.text),
  // TZS and UGX payouts carry a narration where KSH ones carry remarks; the record has one field for both. Assumed.
  remarks: field(
    'Remarks, or the narration of a TZS or UGX payout (assumed).',
    form.text,
    ({ request }) => request.remarks ?? request.narration ?? '',
  ),
  occasion: field(
    'As sent, or null. The published KSH record shows null, although KSH needs one.',
    form.textOrNull,
    ({ request }) => request.occasion ?? null,
  ),
  originatorConversationId: field(
    "The operator's correlation id; uuid form published.",
    form.text,
    ({ view, payment }) => view.ids.uuid('originator', payment.seq),
  ),
  conversationId: settable('May be empty.', { ...form.text, usual: 'published' }, ''),
  callbackUrl: shared(answered.callbackUrl, ({ payment }) => payment.callbackUrl ?? ''),
  ...times('zeros-dropped'),
  status: shared(statusOrAccepted, 'status'),
  responseCode: settable('0 in every sample.', { ...form.integer, usual: 'published' }, 0),
  receiverName: settable('Null until known.', form.textOrNull, null),
  transactionReceipt: settable('Null until paid.', { ...form.textOrNull, usual: ['S…', 'success-record'] }, null),
})

const companyQuery = request({ fields: () => ({ companyId }) })
/** The published reference requires companyId, and its samples leave it out. */
const statusQuery = request({
  fields: ({ requestId, publishedCompanyId }) => ({
    requestId: requestId('published'),
    companyId: publishedCompanyId(),
  }),
})

type SendMoney = Payment<SendMoneyRequest>

/** The name that was sent stands for a number that the directory does not know. */
function sendMoneyOutcome(view: View, payment: SendMoney): JsonObject {
  const { name } = view.scenario.directory.subscriber(payment.request.phoneNumber)
  return {
    receiverName: name === '' ? nameSent(payment) : name,
    transactionReceipt: receiptOf(view, payment),
  }
}

function nameSent({ request: { firstName, lastName, customerName } }: SendMoney): string {
  return [firstName, lastName].filter(Boolean).join(' ') || (customerName ?? '')
}

export const sendMoney = kind({
  name: 'send-money',
  phrase: 'a send-money payout',
  tag: 'Mobile money payouts',
  base: '/api/sandbox/v1/send-money',
  noun: 'payout',
  direction: 'out',
  machine: payoutMachine('send-money'),
  request: sendMoneyRequest,
  currency: 'currencyCode',
  party: { type: 'phone', field: 'phoneNumber', name: 'receiverName' },
  ends: ['SUCCESS', 'FAILED'],
  failure: { code: 'responseCode', text: 'responseDescription' },
  // Only mfano's own reason of an end shows it.
  beyondRecord: { responseDescription: 'text' },
  reference: { field: 'referenceId', used: referenceUsed },
  outcome: sendMoneyOutcome,
  record: sendMoneyRecord,
  status: sendMoneyStatus,
  callback: { record: sendMoneyStatus },
  operations: ({ opens, single, all, status }) => [
    opens({
      id: 'createSendMoney',
      path: '',
      summary: 'Send money to a mobile wallet',
      description: 'Accepted as PENDING; the final outcome is sent to callbackUrl.',
      source: 'specification, Mobile money payouts; published b2c/post',
      accepted: sendMoneyAccepted,
      example: (baseUrl) => ({
        phoneNumber: '254745362174',
        amount: 1000,
        currencyCode: 'KSH',
        remarks: 'January wages',
        occasion: 'Wages',
        callbackUrl: exampleCallbackUrl(baseUrl),
        referenceId: EXAMPLE_REFERENCE,
      }),
      refuses: [phoneForm],
      ask: (call) => {
        const { body, unread } = call
        const currency = countries.currencyOf(body.currencyCode) ?? countries.home.currency
        const phoneNumber = phoneOf(call, body.phoneNumber, currency)
        unread(...ofOtherCurrencies(body))
        return { currency, request: { ...body, phoneNumber } }
      },
    }),
    single({
      id: 'getSendMoney',
      summary: 'Read one payout',
      source: 'specification, Mobile money payouts; published b2c/get_single',
      query: byIdOfCompany,
    }),
    all({
      id: 'listSendMoney',
      summary: 'List the payouts of a company',
      source: 'specification, Mobile money payouts; published b2c/get_all',
      query: companyQuery,
    }),
    status({
      id: 'getSendMoneyStatus',
      summary: 'Read the status of a payout',
      source: 'published b2c/get_status',
      query: statusQuery,
    }),
    single({
      ...tanzanian('payout', sendMoneyRecord),
      id: 'getTanzaniaPayout',
      path: '/api/v1/tz/spending/single',
      summary: 'Read one Tanzania payout',
      description: 'A payout made by POST send-money with currencyCode TZS.',
      source: 'specification, Mobile money payouts; published b2c/get_single_tz',
    }),
  ],
})
