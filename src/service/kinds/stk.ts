import * as z from 'zod'
import { DIGITS } from '../../core/model/chance.ts'
import { float } from '../../core/model/json.ts'
import type { PromptFailure, View } from '../../core/model/kind.ts'
import { type Currency, toMajor, toMinor } from '../../core/model/money.ts'
import { must } from '../../core/model/must.ts'
import type { JsonObject, Payment } from '../../core/model/payment.ts'
import { refused } from '../../core/model/refusal.ts'
import { check } from '../../http/validate.ts'
import { chosen } from '../assumptions/assumptions.ts'
import { countries } from '../countries/countries.ts'
import { referenceUsed } from '../declarations/lookups.ts'
import { kind, payoutMachine, tanzanian } from '../declarations/payment-kind.ts'
import { field, form, localInstant, owner, record, settable, shared, times, touched } from '../declarations/record.ts'
import {
  answered,
  closedObject,
  httpUrl,
  INVENTED_LIMITS,
  published,
  schemaField,
  statusOrAccepted,
  text,
} from '../fields.ts'
import type { Collection } from '../parts.ts'
import {
  atMost,
  EXAMPLE_REFERENCE,
  exampleCallbackUrl,
  forCurrency,
  localPhone,
  neededBy,
  neededElsewhere,
  phoneForm,
  phoneOf,
  phoneRules,
  type RequestRule,
  request,
} from '../requests/request.ts'

/** Published. */
const TZ_COLLECTION_CHANNELS = ['TZ-TIGO-C2B', 'TZ-AIRTEL-C2B'] as const

/** Published. */
const NEEDED = { KSH: ['accountReference'], TZS: ['channel'], UGX: ['narration', 'customerName'] } as const
/** The account reference is shown whatever the currency. */
const ofOtherCurrencies = neededElsewhere({ ...NEEDED, KSH: [] })

/** Not enforced, because the published sample breaks both. */
const documentedLimits: RequestRule[] = [
  atMost('description', 13, 'documented-limits'),
  {
    field: 'accountReference',
    pattern: /^[A-Za-z0-9]{1,12}$/,
    expected: 'must be at most 12 letters and digits',
    ground: 'documented-limits',
  },
]

const stkRequest = request({
  id: 'StkRequest',
  basis: 'published',
  fields: ({ text, optionalText, httpUrl, mobileCurrencyCode, referenceId, asNumber }) => ({
    phoneNumber: text('published', 'Where the prompt goes: international form, no plus.', {
      max: 30,
      required: 'published',
    }),
    amount: schemaField(
      'published',
      'Whole major units.',
      asNumber(
        z
          .int('must be a whole number')
          .gt(0, 'must be greater than 0')
          .max(999_999_999_999, 'must be at most 999999999999'),
      ),
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
  }),
  rules: (chosen) => [
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
})
type StkRequest = z.infer<typeof stkRequest>

const { requestId, status: statusField, wholeAmount } = published
const LOCAL_PHONE = 'Kenyan numbers in local form: 07… (published).'

/** No status, another name for the amount. Published. */
const stkAccepted = record<StkRequest>('StkAccepted', 'published', {
  requestId: shared(requestId, 'uuid'),
  phoneNumber: field(LOCAL_PHONE, form.text, ({ request }) => localPhone(request.phoneNumber)),
  requestedAmount: field('With one decimal.', form.decimal, ({ payment }) => float(payment.amountMinor)),
})

/** Published. The status read has the phone in local form, the callback in international form. */
const stkState = (id: string, phone: string, phoneOf: (phoneNumber: string) => string) =>
  record<StkRequest>(id, 'published', {
    requestId: shared(requestId, 'uuid'),
    status: shared(statusField, 'status'),
    amount: shared(wholeAmount, ({ payment }) => toMajor(payment.amountMinor)),
    phoneNumber: field(phone, form.text, ({ request }) => phoneOf(request.phoneNumber)),
  })
const stkStatus = stkState('StkStatus', LOCAL_PHONE, localPhone)
const stkCallback = stkState('StkCallback', 'In international form.', (phoneNumber) => phoneNumber)

const ACCEPTED = 'Success. Request accepted for processing'

/** Also of Tanzania collections. Fields specified, key order and forms published. */
const stkRecord = record<StkRequest>('StkCollectionRecord', 'specified', {
  id: shared(answered.id, 'id'),
  uuid: shared(answered.uuid, 'uuid'),
  merchantRequestId: field(
    "The operator's correlation id.",
    { ...form.text, words: { examples: ['29115-34620561-1'] } },
    ({ view, payment }) => operatorIds(view, payment).merchantRequestId,
  ),
  checkoutRequestId: field(
    "The operator's correlation id.",
    { ...form.text, usual: ['ws_CO_…', 'published'] },
    ({ view, payment }) => operatorIds(view, payment).checkoutRequestId,
  ),
  phoneNumber: field(LOCAL_PHONE, form.text, ({ request }) => localPhone(request.phoneNumber)),
  description: field('As sent.', form.text),
  organisation: owner,
  amount: shared(answered.wholeAmount, ({ payment }) => toMajor(payment.amountMinor)),
  status: shared(statusOrAccepted, 'status'),
  accountReference: field(
    'As sent; empty when there was none (assumed).',
    { ...form.text, usual: ['', 'convention: an account number or reference that was not sent'] },
    ({ request }) => request.accountReference ?? '',
  ),
  responseCode: settable('0 in every sample.', { ...form.integer, usual: 'published' }, 0),
  responseDescription: settable('Of the request, not of the outcome.', { ...form.text, usual: 'published' }, ACCEPTED),
  customerMessage: settable('Of the request, not of the outcome.', { ...form.text, usual: 'published' }, ACCEPTED),
  callbackUrl: shared(answered.callbackUrl, ({ payment }) => payment.callbackUrl ?? ''),
  ...times('six-digits', touched),
})

type Stk = Payment<StkRequest>

function operatorIds(view: View, payment: Stk) {
  const draw = view.ids.of('stk', payment.seq)
  const created = localInstant(view, payment.createdAtUs)
  const day = created.slice(8, 10) + created.slice(5, 7) + created.slice(0, 4)
  return {
    merchantRequestId: `${10000 + draw.below(90000)}-${draw.text(8, DIGITS)}-1`,
    // ws_CO_ then day, month, year, time and milliseconds run together, as the sample ws_CO_191220191020363925 reads.
    checkoutRequestId: `ws_CO_${day}${created.slice(11, 19).replaceAll(':', '')}${draw.text(4, DIGITS)}`,
  }
}

/** Codes and texts of the default scenario. Assumed. */
const promptFailures: Record<PromptFailure, JsonObject> = {
  cancelled: {
    responseCode: 1032,
    responseDescription: 'Request cancelled by user',
    customerMessage: 'Request cancelled by user',
  },
  'wrong-pin': {
    responseCode: 2001,
    responseDescription: 'The initiator information is invalid',
    customerMessage: 'Wrong PIN',
  },
  'insufficient-funds': {
    responseCode: 1,
    responseDescription: 'The balance is insufficient for the transaction',
    customerMessage: 'The balance is insufficient for the transaction',
  },
  unanswered: { responseCode: 1037, responseDescription: 'No response from user' },
}

// Customers who pay by phone without a request; an operator plays them.

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
  organisationId: z.string().optional().describe('Uuid of the organisation that is paid. Default: the first.'),
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

export const stk = kind({
  name: 'stk',
  phrase: 'an STK collection',
  tag: 'Mobile collections',
  base: '/api/sandbox/v1/stk',
  noun: 'collection',
  direction: 'in',
  machine: payoutMachine('stk', { asks: true }),
  request: stkRequest,
  currency: 'currencyCode',
  party: { type: 'phone', field: 'phoneNumber' },
  ends: ['SUCCESS', 'FAILED'],
  failure: { code: 'responseCode', text: 'responseDescription' },
  reference: { field: 'referenceId', used: referenceUsed },
  record: stkRecord,
  status: stkStatus,
  callback: { record: stkCallback },
  prompt: {
    status: 'PENDING',
    approve: 'SUCCEED',
    failed: (failure) => promptFailures[failure],
    reference: (_view, { request }) => request.accountReference ?? null,
  },
  collections: [byPhone('stk', 'KES'), byPhone('tz', 'TZS')],
  operations: ({ opens, single, status, all }) => [
    opens({
      id: 'createStkCollection',
      summary: 'Ask a payer to pay by phone prompt',
      description: 'The prompt goes to phoneNumber; the final outcome is sent to callbackUrl.',
      source: 'published stk/post',
      message: 'Stk request has been accepted for request',
      accepted: stkAccepted,
      example: (baseUrl) => ({
        phoneNumber: '254745362174',
        amount: 10,
        description: 'Order 12345',
        accountReference: 'ORDER12345',
        callbackUrl: exampleCallbackUrl(baseUrl),
        currencyCode: 'KSH',
        referenceId: EXAMPLE_REFERENCE,
      }),
      refuses: [phoneForm],
      ask: (call) => {
        const { core, body, unread, warn } = call
        const currency = countries.currencyOf(body.currencyCode) ?? countries.home.currency
        const phoneNumber = phoneOf(call, body.phoneNumber, currency)
        if (chosen(core)['documented-limits'] === 'warn')
          for (const { text } of check(z.unknown(), body, documentedLimits).problems)
            warn(text.replace(', got', ' as documented, got'))
        unread(...ofOtherCurrencies(body))
        return { currency, request: { ...body, phoneNumber } }
      },
    }),
    single({
      id: 'getStkCollection',
      summary: 'Read one mobile collection',
      source: 'specification, Collections; published stk/single',
    }),
    status({
      id: 'getStkCollectionStatus',
      summary: 'Read the status of a mobile collection',
      source: 'published stk/status',
    }),
    all({ id: 'listStkCollections', summary: 'List mobile collections', source: 'published stk/all' }),
    single({
      ...tanzanian('collection', stkRecord),
      id: 'getTanzaniaCollection',
      path: '/api/v1/tz/collections/single',
      summary: 'Read one Tanzania collection',
      description: 'A collection made by POST stk/new with currencyCode TZS.',
      source: 'specification, Collections; published stk/get_single_tz',
    }),
  ],
})
