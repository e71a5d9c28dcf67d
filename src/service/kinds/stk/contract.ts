/** Requests and answers of mobile collections. */
import * as z from 'zod'
import { countries } from '../../countries/countries.ts'
import { closedObject, openObject } from '../../declared/lazy-objects.ts'
import {
  answered,
  httpUrl,
  INVENTED_LIMITS,
  known,
  localTimestamp,
  mobileCurrencyCode,
  optionalText,
  organisationSummarySchema,
  published,
  publishedEnvelope,
  referenceId,
  requestIdQuery,
  text,
  usual,
} from '../../fields.ts'
import { atMost, forCurrency, neededBy, phoneRules, type RequestRule, ruled } from '../../requests/request-rules.ts'

/** Published. */
const TZ_COLLECTION_CHANNELS = ['TZ-TIGO-C2B', 'TZ-AIRTEL-C2B'] as const

/** Published. */
const NEEDED = { KSH: ['accountReference'], TZS: ['channel'], UGX: ['narration', 'customerName'] } as const

/** Not enforced, because the published sample breaks both. */
export const documentedLimits: RequestRule[] = [
  atMost('description', 13, 'documented-limits'),
  {
    field: 'accountReference',
    pattern: /^[A-Za-z0-9]{1,12}$/,
    expected: 'must be at most 12 letters and digits',
    ground: 'documented-limits',
  },
]

export const stkRequest = ruled(
  openObject(() => ({
    phoneNumber: text('published', 'Where the prompt goes: international form, no plus.', {
      max: 30,
      required: 'published',
    }),
    amount: known(
      'published',
      'Whole major units.',
      z
        .int('must be a whole number')
        .gt(0, 'must be greater than 0')
        .max(999_999_999_999, 'must be at most 999999999999'),
      { required: 'published', exclusiveMinimum: 'published', maximum: INVENTED_LIMITS },
    ),
    description: text('published', 'Documented as at most 13 characters.', { required: 'published' }),
    accountReference: optionalText(
      'published',
      'Required when KSH; documented as at most 12 letters and digits. Shown in the PIN prompt.',
    ),
    callbackUrl: httpUrl('published', 'Told the final outcome.', { required: 'published' }),
    currencyCode: mobileCurrencyCode('published', 'KSH unless given.'),
    channel: optionalText('published', `Required when TZS: ${TZ_COLLECTION_CHANNELS.join(' or ')}.`),
    narration: optionalText('published', 'Required when UGX.'),
    customerName: optionalText('published', 'Required when UGX.'),
    referenceId: referenceId('published'),
  })).meta({ id: 'StkRequest', 'x-basis': 'published' }),
  (chosen) => [
    ...neededBy(NEEDED, 'published'),
    ...phoneRules('phoneNumber', chosen),
    forCurrency('TZS', {
      field: 'channel',
      enum: TZ_COLLECTION_CHANNELS,
      expected: `must be one of ${TZ_COLLECTION_CHANNELS.join(', ')}`,
      ground: 'published',
    }),
    ...(chosen['documented-limits'] === 'refuse' ? documentedLimits : []),
  ],
)
export type StkRequest = z.infer<typeof stkRequest>

export const stkLedgerCurrency = (request: StkRequest) =>
  countries.currencyOf(request.currencyCode) ?? countries.home.currency

export function stkFieldsOfOtherCurrencies(request: StkRequest): string[] {
  const read: readonly string[] = NEEDED[request.currencyCode]
  return (['channel', 'narration', 'customerName'] as const).filter(
    (field) => !read.includes(field) && request[field] !== undefined,
  )
}

const { requestId, status, wholeAmount } = published
const LOCAL_PHONE = 'Kenyan numbers in local form: 07… (published).'
const localPhone = known('published', LOCAL_PHONE, z.string())

/** Published. */
export const STK_ACCEPTED = 'Stk request has been accepted for request'

export const stkAcceptedAnswer = publishedEnvelope(
  201,
  STK_ACCEPTED,
  closedObject(() => ({
    requestId,
    phoneNumber: localPhone,
    requestedAmount: known('published', 'With one decimal.', z.number()),
  })).meta({ id: 'StkAccepted', 'x-basis': 'published' }),
)

export const stkStatusSchema = closedObject(() => ({
  requestId,
  status,
  amount: wholeAmount,
  phoneNumber: localPhone,
})).meta({ id: 'StkStatus', 'x-basis': 'published' })

export const stkCallbackSchema = closedObject(() => ({
  requestId,
  status,
  amount: wholeAmount,
  phoneNumber: known('published', 'In international form.', z.string()),
})).meta({ id: 'StkCallback', 'x-basis': 'published' })

export const stkRecordSchema = closedObject(() => ({
  id: answered.id,
  uuid: answered.uuid,
  merchantRequestId: known(
    'specified',
    "The operator's correlation id.",
    z.string(),
    {},
    { examples: ['29115-34620561-1'] },
  ),
  checkoutRequestId: usual(known('specified', "The operator's correlation id.", z.string()), 'ws_CO_…', 'published'),
  phoneNumber: known('specified', LOCAL_PHONE, z.string()),
  description: known('specified', 'As sent.', z.string()),
  organisation: organisationSummarySchema,
  amount: answered.wholeAmount,
  status: known(
    'specified',
    'PENDING, SUCCESS or FAILED; PAYMENT_ACCEPTED on Tanzania reads when assumed so.',
    z.enum(['PENDING', 'SUCCESS', 'FAILED', 'PAYMENT_ACCEPTED']),
    { enum: 'tz-status-word' },
  ),
  accountReference: usual(
    known('specified', 'As sent; empty when there was none (assumed).', z.string()),
    '',
    'convention: an account number or reference that was not sent',
  ),
  responseCode: usual(known('specified', '0 in every sample.', z.int()), 0, 'published'),
  responseDescription: usual(
    known('specified', 'Of the request, not of the outcome.', z.string()),
    'Success. Request accepted for processing',
    'published',
  ),
  customerMessage: usual(
    known('specified', 'Of the request, not of the outcome.', z.string()),
    'Success. Request accepted for processing',
    'published',
  ),
  callbackUrl: answered.callbackUrl,
  createdAt: localTimestamp,
  updatedAt: localTimestamp,
})).meta({ id: 'StkCollectionRecord', 'x-basis': 'specified' })

export const stkQuery = openObject(() => ({ requestId: requestIdQuery('specified') }))
export const stkStatusQuery = openObject(() => ({ requestId: requestIdQuery('published') }))
