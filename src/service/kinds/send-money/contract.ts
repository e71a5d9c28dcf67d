/** Requests and answers of mobile money payouts. */
import * as z from 'zod'
import { countries } from '../../countries/countries.ts'
import { closedObject, openObject } from '../../declared/lazy-objects.ts'
import {
  amount,
  answered,
  companyId,
  envelope,
  httpUrl,
  known,
  localTimestamp,
  mobileCurrencyCode,
  optional,
  optionalCompanyId,
  optionalText,
  organisationSummarySchema,
  published,
  referenceId,
  requestIdQuery,
  text,
  usual,
} from '../../fields.ts'
import { forCurrency, neededBy, phoneRules, ruled } from '../../requests/request-rules.ts'

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

export const sendMoneyRequest = ruled(
  openObject(() => ({
    phoneNumber: text('specified', 'The receiver: international form, no plus.', { max: 30, required: 'published' }),
    amount: amount('specified', 'What the receiver gets. TZS: at least 1000.', { required: 'published' }),
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
  })).meta({ id: 'SendMoneyRequest', 'x-basis': 'specified' }),
  (chosen) => [
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
)
export type SendMoneyRequest = z.infer<typeof sendMoneyRequest>

const PARTIAL = [...new Set(Object.values(NEEDED).flat())]

export function sendMoneyFieldsOfOtherCurrencies(request: SendMoneyRequest): string[] {
  const read: readonly string[] = NEEDED[request.currencyCode]
  return PARTIAL.filter((field) => request[field] !== undefined && !read.includes(field))
}

export const sendMoneyLedgerCurrency = (request: SendMoneyRequest) =>
  countries.currencyOf(request.currencyCode) ?? countries.home.currency

const { requestId, uuid, floatAmount: wireAmount } = answered

export const sendMoneyAcceptedAnswer = envelope(
  201,
  'Success',
  closedObject(() => ({
    requestId,
    amount: wireAmount,
    phoneNumber: known('specified', 'As sent.', z.string()),
    status: answered.pending,
  })).meta({ id: 'SendMoneyAccepted', 'x-basis': 'specified' }),
)

export const sendMoneyStatusSchema = closedObject(() => ({
  // Payout callbacks are matched by it (specification, Events).
  requestId,
  phoneNumber: known('published', 'As sent.', z.string()),
  status: published.status,
  amount: published.floatAmount,
})).meta({ id: 'SendMoneyStatus', 'x-basis': 'published' })

export const sendMoneyRecordSchema = closedObject(() => ({
  id: answered.id,
  amount: wireAmount,
  uuid,
  organisation: organisationSummarySchema,
  phoneNumber: known('specified', 'As sent.', z.string()),
  remarks: known('specified', 'Remarks, or the narration of a TZS or UGX payout (assumed).', z.string()),
  occasion: known(
    'specified',
    'As sent, or null. The published KSH record shows null, although KSH needs one.',
    z.string().nullable(),
  ),
  originatorConversationId: known('specified', "The operator's correlation id; uuid form published.", z.string()),
  conversationId: usual(known('specified', 'May be empty.', z.string()), '', 'published'),
  callbackUrl: answered.callbackUrl,
  createdAt: localTimestamp,
  updatedAt: localTimestamp,
  status: known(
    'specified',
    'PENDING, SUCCESS or FAILED; PAYMENT_ACCEPTED on Tanzania reads when assumed so.',
    z.enum(['PENDING', 'SUCCESS', 'FAILED', 'PAYMENT_ACCEPTED']),
    { enum: 'tz-status-word' },
  ),
  responseCode: usual(known('specified', '0 in every sample.', z.int()), 0, 'published'),
  receiverName: known('specified', 'Null until known.', z.string().nullable()),
  transactionReceipt: usual(known('specified', 'Null until paid.', z.string().nullable()), 'S…', 'success-record'),
})).meta({ id: 'MobileMoneyPayoutRecord', 'x-basis': 'specified' })

export const sendMoneyQuery = openObject(() => ({
  requestId: requestIdQuery('specified'),
  companyId,
}))
export const companyQuery = sendMoneyQuery.pick({ companyId: true })
/** The published reference requires companyId, and its samples leave it out. */
export const statusQuery = openObject(() => ({
  requestId: requestIdQuery('published'),
  companyId: optionalCompanyId,
}))
