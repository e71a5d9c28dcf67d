/**
 * The registry of assumptions: what mfano decides because neither the specification nor the published reference does.
 * The first alternative is the default. A scenario changes it under `assumptions:`; `GET /_mfano/fidelity` lists all of
 * them.
 */
import { type AssumptionRegistry, type Assumptions, defaultsOf } from '../../core/model/assumption.ts'
import {
  type published,
  type Reason,
  type ReasonAnswer,
  type RefusalCode,
  reason as reasonOf,
  type Stage,
} from '../../core/model/refusal.ts'
import type { Conventional } from './conventions.ts'
import {
  callbackAssumptions,
  paymentAssumptions,
  requestAssumptions,
  tokenAssumptions,
  transportAssumptions,
} from './groups.ts'
import {
  allocating,
  allocationLists,
  checkoutReads,
  parental,
  payouts,
  recordLists,
  recordReads,
  records,
  referenced,
  stamped,
  statusReads,
  tanzanianReads,
  touchedLists,
} from './touched.ts'

export const assumptions = {
  ...transportAssumptions,
  ...requestAssumptions,
  ...paymentAssumptions,
  ...tokenAssumptions,
  ...callbackAssumptions,
  'error-body': {
    question: 'Which of the published error bodies is on the wire?',
    alternatives: ['nested', 'flat', 'field-list'],
    note: 'nested: {"error":{code,message,details}}, the published sample. flat: errorCode, message, details, statusCode, the published table. field-list: message and errors{}, as the checkout page shows.',
    area: 'errors',
    touches: { operations: 'all', unrouted: true },
  },
  'checkout-error-body': {
    question: 'Which error body do the checkout endpoints answer?',
    alternatives: ['field-list', 'nested', 'flat'],
    note: 'The checkout page publishes field-list as its typical body; its status code is not shown and taken from the general table.',
    area: 'errors, checkout',
    touches: { operations: checkoutReads },
  },
  'bad-credentials': {
    question: 'What answers a wrong API key or secret?',
    alternatives: ['AUTH_INVALID_TOKEN', 'AUTH_FORBIDDEN'],
    note: '401 AUTH_INVALID_TOKEN or 403 AUTH_FORBIDDEN.',
    area: 'token',
    touches: { operations: ['getToken'] },
  },
  'refresh-token': {
    question: 'Is there a call that uses the refresh token?',
    alternatives: ['off', 'on'],
    note: 'No source shows one. on: POST /api/v1/refresh-token {refreshToken} answers as get-token does.',
    area: 'token',
    touches: { operations: ['refreshToken'] },
  },
  'unlisted-operations': {
    question: 'Are the four operations served that are published on pages the navigation no longer links?',
    alternatives: ['off', 'on'],
    note: 'bank/payout/verify-account, org/wallet-details, allocations/sub/org/all, de-allocations/sub/org/all.',
    area: 'all records',
    touches: {
      operations: ['verifyBankAccount', 'getWalletDetails', 'listReceivedAllocations', 'listReceivedDeallocations'],
    },
  },
  'old-tokens': {
    question: 'Does an older access token stay valid after a new one was issued?',
    alternatives: ['valid', 'revoked'],
    note: 'valid until it expires; or only the newest token of an organisation is accepted.',
    area: 'token',
    touches: { operations: 'all' },
  },
  'duplicate-reference': {
    question: 'What does a repeated referenceId do?',
    alternatives: ['second-payment', 'refuse', 'replay'],
    note: "second-payment: it makes another payment, so the merchant's own guard is tested. refuse: 400 REQ_INVALID_FIELD. replay: the first answer again, no new payment.",
    area: 'send-money, till, paybill, bank-payout, stk',
    touches: { operations: referenced },
  },
  'duplicate-external-reference': {
    question: 'What does a repeated externalReference of a checkout session do?',
    alternatives: ['second-session', 'refuse', 'replay'],
    note: 'As duplicate-reference.',
    area: 'checkout',
    touches: { operations: ['createCheckoutSession'] },
  },
  'reference-lookup': {
    question: "Can a payment be read by the caller's referenceId?",
    alternatives: ['in-request-id', 'off'],
    note: 'The pages say a transaction can be queried by it and show no parameter; the reading that fits is passing it as requestId. The newest match answers.',
    area: 'reads',
    touches: { operations: [...recordReads, ...statusReads, 'getBankCollection'] },
  },
  'funds-check': {
    question: 'When are funds checked?',
    alternatives: ['at-creation', 'at-settlement'],
    note: 'at-creation: 402 INSUFFICIENT_FUNDS and nothing is made. at-settlement: accepted as PENDING, then FAILED.',
    area: 'payouts',
    touches: { operations: payouts },
  },
  'documented-limits': {
    question: 'Are limits enforced that the published samples themselves break?',
    alternatives: ['warn', 'refuse'],
    note: 'STK description (13 characters) and accountReference (12, letters and digits). warn: the journal names the field.',
    area: 'stk',
    touches: { operations: ['createStkCollection'] },
  },
  'short-code-format': {
    question: 'Which business numbers are accepted?',
    alternatives: ['five-to-ten-digits', 'five-to-seven-digits', 'any'],
    note: 'No rule is published. Requests and records of the samples have five and seven digits, the samples of callbacks ten. any: whatever text is not blank.',
    area: 'till, paybill',
    touches: { operations: ['createTillPayment', 'createPaybillPayment'] },
  },
  'phone-format': {
    question: 'Which phone numbers are accepted?',
    alternatives: ['international', 'lenient'],
    note: 'The send-money page asks for the international form without a plus, for Kenya and Tanzania; the STK page says registered numbers of all three countries. How many digits those have and how they begin is assumed: 2547… and 2541…, 2556… and 2557…, 2567…, twelve in all. lenient: also +254…, 07… and digits in groups.',
    area: 'send-money, stk',
    touches: { operations: ['createSendMoney', 'createStkCollection'] },
  },
  'list-order': {
    question: 'In which order do lists come?',
    alternatives: ['oldest-first', 'newest-first'],
    note: 'Published samples show both: send money oldest first, till newest first.',
    area: 'lists',
    touches: { operations: touchedLists },
  },
  'list-scope': {
    question: "Do lists of a parent hold its sub-accounts' records?",
    alternatives: ['own', 'with-sub-accounts'],
    note: 'The pages say "of the organisation". Single reads find a sub-account\'s record for its parent, who names the sub-account where companyId is asked for.',
    area: 'lists',
    touches: { operations: [...recordLists, 'listBankCollections'] },
  },
  'status-read-code': {
    question: 'Which status does GET till/status carry?',
    alternatives: ['200', '201'],
    note: 'The published sample shows 201 on this one read; the specification is silent.',
    area: 'till',
    touches: { operations: ['getTillPaymentStatus'] },
  },
  'tz-status-word': {
    question: 'Which word do Tanzania reads use once the operator has accepted?',
    alternatives: ['PENDING', 'PAYMENT_ACCEPTED'],
    note: 'A withdrawn revision showed PAYMENT_ACCEPTED or PENDING.',
    area: 'tanzania',
    touches: { operations: tanzanianReads },
  },
  'tz-error-body': {
    question: 'Which errors do the Tanzania reads answer?',
    alternatives: ['as-others', 'withdrawn'],
    note: 'A withdrawn revision of their pages put codes of their own into message: INVALID_REQUEST_ID, UNAUTHORIZED, NOT_FOUND, RATE_LIMITED. withdrawn: an envelope {status, message, data} with those, and with data null, which is assumed.',
    area: 'tanzania, errors',
    touches: { operations: tanzanianReads },
  },
  'name-mismatch': {
    question: 'When is it told that the beneficiary name does not match the account?',
    alternatives: ['later', 'at-once'],
    note: 'A mismatch is the most common cause of rejection (specified); how it is reported is not shown. later: the payout is accepted, and FAILED by callback. at-once: 400 REQ_INVALID_FIELD, and nothing is made. Of rules that end a payout FAILED with the errorCode NAME_MISMATCH.',
    area: 'bank-payout',
    touches: { operations: ['createBankPayout'], callbacks: ['bank-payout'] },
  },
  'unlisted-accounts': {
    question: 'What does a beneficiary name do at a bank account that no scenario lists?',
    alternatives: ['any-name', 'invented-holder'],
    note: 'A name that does not match the account is the most common cause of rejection (specified). any-name: every name will do there; the accounts that the default scenario lists have holders. invented-holder: every account has a holder, whom the seed invents, so that only a name that was verified passes.',
    area: 'bank-payout',
    touches: {
      operations: ['createBankPayout', 'verifyBankAccount'],
      callbacks: ['bank-payout', 'account-verification'],
    },
  },
  'bank-code-format': {
    question: 'Which bank codes are accepted?',
    alternatives: ['00-and-two-digits', '00-and-digits', 'four-digits', 'any'],
    note: "00 and the bank's code (specified), which has two digits in the samples of requests: 0025, 00X3. A stored record shows 1032. 00-and-digits: whatever the length of the bank's code. four-digits: 1032, too. any: whatever text is not blank. No list of banks is checked.",
    area: 'bank-payout',
    touches: { operations: ['createBankPayout', 'verifyBankAccount'] },
  },
  'timestamp-form': {
    question: 'Which form have the times of records?',
    alternatives: ['six-digits', 'as-published', 'Z', 'drawn'],
    note: 'Most samples have a fraction of six digits. as-published: of each record as in its sample, with zeros at the end left off in send-money and till payments, eight digits in a new sub-account and nine in a subscription. Z: 2025-01-24T16:28:00Z, as the specification says of some, and no sample shows; it is UTC whatever timestamp-zone says. drawn: the seed chooses six digits or Z for every field of every record.',
    area: 'all records',
    touches: { operations: stamped, callbacks: ['bank-collection'] },
  },
  'timestamp-zone': {
    question: 'Which zone are the timestamps in, which carry none?',
    alternatives: ['utc', 'nairobi'],
    note: 'nairobi prints UTC+3, in dates and in references that are made of them, too: transactiondate, checkoutRef, conversationId, checkoutRequestId.',
    area: 'all records',
    touches: { operations: [...stamped, 'createCheckoutSession'], callbacks: ['bank-collection', 'checkout'] },
  },
  'final-callback': {
    question: 'Which changes are told by callback?',
    alternatives: ['final', 'pending-too'],
    note: 'final: only the end, as specified. pending-too: a callback with PENDING when the payment is made, a value the pages allow; an account verification has no word for it and tells its end alone.',
    area: 'callbacks',
    touches: { callbacks: 'all' },
  },
  'checkout-callback': {
    question: 'What does a checkout callback hold?',
    alternatives: ['session', 'short'],
    note: 'No body is published. session: id, checkoutRef, externalReference, paymentReference, status, amount, currency, in this order. short: id, checkoutRef, status.',
    area: 'callbacks',
    touches: { callbacks: ['checkout'] },
  },
  'bank-collection-callback': {
    question: 'What is sent to collectionCallbackUrl?',
    alternatives: ['record', 'none'],
    note: 'No body is published. record: the bank collection record as the list prints it.',
    area: 'callbacks',
    touches: { callbacks: ['bank-collection'] },
  },
  'callback-signature': {
    question: 'Are callbacks signed?',
    alternatives: ['none', 'standard-webhooks'],
    note: 'No signature is shown. standard-webhooks: webhook-id, webhook-timestamp and webhook-signature headers; the secret is in GET /_mfano/callbacks/secret.',
    area: 'callbacks',
    touches: { callbacks: 'all' },
  },
  'callback-success': {
    question: 'Which answer counts as received?',
    alternatives: ['2xx', '200'],
    note: 'Redirects are not followed and count as failed.',
    area: 'callbacks',
    touches: { callbacks: 'all' },
  },
  'checkout-cancel': {
    question: 'What happens to a session when the customer cancels?',
    alternatives: ['stays-pending', 'fails'],
    note: 'There is no cancelled state. stays-pending: the customer may come back until it expires. fails: FAILED, with its callback.',
    area: 'checkout',
    touches: { operations: ['createCheckoutSession'] },
  },
  'subscription-required': {
    question: 'Do sub-account calls need an active subscription?',
    alternatives: ['no', 'yes'],
    note: 'yes: 403 AUTH_FORBIDDEN without one.',
    area: 'sub-accounts',
    touches: { operations: [...parental, ...allocating, ...allocationLists] },
  },
  'allocation-callers': {
    question: 'Which moves of its own money may a sub-account make with a token of its own?',
    alternatives: ['de-allocations', 'both', 'none'],
    note: 'De-allocations move money from a sub-account to another organisation (specified); they and allocations are meant mainly for a parent or an admin (published). A sub-account gives from its own wallet, to its parent or to another sub-account of it; what it may not is 403 AUTH_FORBIDDEN.',
    area: 'allocations',
    touches: { operations: allocating },
  },
  'cancelled-allocation-status': {
    question: 'Which status does a cancelled allocation show in lists?',
    alternatives: ['CANCELLED', 'SUCCESS'],
    note: 'Not shown.',
    area: 'allocations',
    touches: { operations: allocationLists },
  },
  'success-record': {
    question: 'What does a successful record show?',
    alternatives: ['filled', 'bare'],
    note: 'Every published record is pending, but for one failed till. filled: receiverName, transactionReceipt, statusCode, statusDesc and endToEndID get plausible values. bare: only status and updatedAt change.',
    area: 'all records',
    touches: { operations: records },
  },
  'net-balance': {
    question: 'What is netBalance in the wallet breakdown?',
    alternatives: ['wallet', 'collections-minus-payouts'],
    note: "wallet: what the sub-account's KES wallet can spend, allocations included. No formula is published.",
    area: 'wallet breakdown',
    touches: { operations: ['getWalletBreakdown'] },
  },
} as const satisfies AssumptionRegistry

type Registry = typeof assumptions
export type AssumptionId = keyof Registry
export type Chosen = { readonly [Id in keyof Registry]: Registry[Id]['alternatives'][number] }

/** The types hold because scenarios are checked against the registry when they are loaded. */
export function chosen({ scenario }: { readonly scenario: { readonly assumptions: Assumptions } }): Chosen {
  return asChosen(scenario.assumptions)
}

export function asChosen(inForce: Assumptions): Chosen {
  return inForce as unknown as Chosen
}

export const usualChoices = asChosen(defaultsOf(assumptions))

type When<Text extends string> = Reason & { when: Text }
type Under<Id extends AssumptionId> = Chosen[Id] | { [Choice in Chosen[Id]]?: Partial<ReasonAnswer> }

/** A reason of the service: its ground is one that there is, and an assumption says under which alternatives it holds. */
export const reason: {
  <Text extends string>(
    stage: Stage,
    code: RefusalCode,
    when: Text,
    known: typeof published | Conventional | 'own',
  ): When<Text>
  <Text extends string, Id extends AssumptionId>(
    stage: Stage,
    code: RefusalCode,
    when: Text,
    ground: Id,
    under: Under<Id>,
  ): When<Text>
} = reasonOf
