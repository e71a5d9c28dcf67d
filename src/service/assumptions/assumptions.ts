/**
 * The registry of assumptions: what mfano decides because neither the specification nor the published reference does.
 * The first alternative is the default. A scenario changes it under `assumptions:`; `GET /_mfano/fidelity` lists all of
 * them.
 */
import { type AssumptionRegistry, type Assumptions, defaultsOf } from '../../core/model/assumption.ts'
import {
  type Reason,
  type ReasonAnswer,
  type RefusalCode,
  reason as reasonOf,
  type Stage,
} from '../../core/model/refusal.ts'
import type { Conventional } from './conventions.ts'
import * as touched from './touched.ts'

export const assumptions = {
  'unsupported-media-type': {
    question: 'How is a body that is compressed or not application/json answered?',
    alternatives: ['415', '400', 'accept'],
    note: 'text/plain, application/x-www-form-urlencoded and whatever else; code REQ_BAD_REQUEST. The reference marks Content-Type required on every POST but lists no 415. accept: read it as JSON all the same; one that is compressed is 400.',
    touches: { operations: touched.withBody, noted: true },
  },
  'body-limit': {
    question: 'How large may the body of a request be?',
    alternatives: ['1mb', '100kb'],
    note: 'No limit is shown. 1mb: 1,000,000 bytes. 100kb: 100,000, which some frameworks begin with.',
    touches: { operations: 'all', noted: true },
  },
  'unsupported-method': {
    question: 'How is a known path with a wrong method answered?',
    alternatives: ['405', '404'],
    note: '405 with an Allow header and code REQ_BAD_REQUEST; or as an unknown path. The published table lists no 405.',
    touches: { unrouted: true, noted: true },
  },
  'trailing-slash': {
    question: 'What answers a path with a slash behind it?',
    alternatives: ['404', 'same', '301', '308'],
    note: '404: it is another path, and unknown. same: as without. 301 and 308: a redirect to the path without; after 301 most clients ask with GET and without their body.',
    touches: { operations: 'all', unrouted: true, noted: true },
  },
  'idempotency-key': {
    question: 'What does a second request with the same Idempotency-Key do?',
    alternatives: ['ignored', 'replay', 'refuse'],
    note: 'No source names the header. ignored: it is worked on like any other, and the journal names the header. replay: the first answer again, byte for byte, and nothing is made; with another operation or body, 409 REQ_BAD_REQUEST. refuse: 409 REQ_BAD_REQUEST. A key belongs to an organisation, and only a request that was accepted uses it up.',
    touches: { operations: touched.withKey, noted: true },
  },
  'retry-after': {
    question: 'Does 429 say when to ask again?',
    alternatives: ['sent', 'none'],
    note: 'A withdrawn page lists 429 and shows no header. sent: Retry-After, in seconds. Only the rate limits of a scenario answer 429.',
    touches: { operations: 'all' },
  },
  'blank-text': {
    question: 'What becomes of text in a body that is empty or blank?',
    alternatives: ['refuse', 'absent', 'accept'],
    note: 'refuse: 400 REQ_INVALID_FIELD. absent: as if the field had not come, so that it is missing where it is needed. accept: it is text like any other. A currency code is no text, and is never blank. A parameter of the query that is blank is refused whatever the choice.',
    touches: { operations: touched.withBody },
  },
  'null-fields': {
    question: 'What does null mean in a field that may be left out?',
    alternatives: ['absent', 'refuse'],
    note: 'absent: as if the field had not come. refuse: 400 REQ_INVALID_FIELD, for null is not of its type.',
    touches: { operations: touched.withBody },
  },
  'unknown-fields': {
    question: 'What becomes of fields in a body that no source names?',
    alternatives: ['ignore', 'refuse'],
    note: 'ignore: the journal names them. refuse: 400 REQ_INVALID_FIELD.',
    touches: { operations: touched.withBody },
  },
  'number-forms': {
    question: 'Is a number taken that comes as text, and text that comes as a number?',
    alternatives: ['refuse', 'convert'],
    note: 'refuse: 400 REQ_INVALID_FIELD. convert: "100" is 100 where a number belongs, with at most two decimals, and the whole number 12345 is "12345" where text belongs, as lenient readers of JSON have it.',
    touches: { operations: touched.withBody },
  },
  decimals: {
    question: 'What becomes of an amount with more than two decimals?',
    alternatives: ['refuse', 'round', 'cut'],
    note: 'The samples have one or two. refuse: 400 REQ_INVALID_FIELD. round: to the nearest cent, halves up. cut: what is less than a cent is left off.',
    touches: { operations: [...touched.payouts, 'createAllocation', 'createDeallocation', 'createCheckoutSession'] },
  },
  'url-rules': {
    question: 'Which addresses are accepted for callbacks and redirects?',
    alternatives: ['http-and-https', 'https-only'],
    note: 'The pages ask for a publicly reachable URL that accepts POST. http-and-https: with a host and without credentials. https-only: plain http is refused.',
    touches: {
      operations: [...touched.payouts, 'verifyBankAccount', 'createStkCollection', 'createCheckoutSession'],
    },
  },
  'ugx-callback': {
    question: 'Is callbackUrl needed for a payout in UGX?',
    alternatives: ['optional', 'required'],
    note: 'The page asks for it for KSH and TZS, and is silent about UGX. optional: without one nobody is told, and the record shows "". required: 400 REQ_MISSING_FIELD.',
    touches: { operations: ['createSendMoney'] },
  },
  'required-fields': {
    question: 'Has a sub-account to be given all fields that the sources show, none of which they mark as required?',
    alternatives: ['all', 'few'],
    note: 'all: each is missing where it is left out. few: the user may be without names, type, roles and e-mail address of its own.',
    touches: { operations: ['createSubAccount'] },
  },
  'company-id': {
    question: "May companyId be the id of a sub-account of the caller's?",
    alternatives: ['with-sub-accounts', 'own'],
    note: "The caller's company (specified). with-sub-accounts: a parent reads a sub-account's records by the sub-account's id. own: any id but the caller's is 403 AUTH_FORBIDDEN.",
    touches: { operations: [...touched.companyReads] },
  },
  'published-company-id': {
    question: 'Is companyId needed where the published tables ask for it and their samples leave it out?',
    alternatives: ['optional', 'required'],
    note: 'send-money/status, till/all. optional: it is checked when sent. required: 400 REQ_MISSING_FIELD without it.',
    touches: { operations: ['getSendMoneyStatus', 'listTillPayments'] },
  },
  'verification-failure': {
    question: 'Which word tells that an account could not be verified?',
    alternatives: ['Failed', 'FAILED'],
    note: 'Only Success is published, with a capital and lower case, where other callbacks have capitals.',
    touches: { callbacks: ['account-verification'] },
  },
  'whole-shillings': {
    question: 'May amounts in TZS and UGX have cents?',
    alternatives: ['cents', 'whole'],
    note: 'Every sample is whole; Uganda has no coin below a shilling. cents: two decimals, as in KES. whole: 400 REQ_INVALID_FIELD.',
    touches: { operations: ['createSendMoney'] },
  },
  'allocation-direction': {
    question: 'May an allocation take from a sub-account, and a de-allocation from a parent?',
    alternatives: ['either', 'as-named'],
    note: 'The sample of a de-allocation runs from parent to sub-account, and the field names decide. as-named: 400 REQ_INVALID_FIELD, since "allocate" gives to a sub-account and "move back" takes from one.',
    touches: { operations: touched.allocating },
  },
  'taken-emails': {
    question: 'May two organisations of one parent have the same e-mail address?',
    alternatives: ['accept', 'refuse'],
    note: 'Not shown; the address of the parent counts, too. refuse: 400 REQ_INVALID_FIELD for the second.',
    touches: { operations: ['createSubAccount'] },
  },
  'sub-account-environment': {
    question: 'Which environment do the records of sub-accounts show?',
    alternatives: ['none', 'sandbox'],
    note: 'Text or null (specified). none: null, as in the samples of sub-accounts. sandbox: as in the organisation of a bank collection, which shows it whatever the choice.',
    touches: { operations: ['createSubAccount', 'listSubAccounts'] },
  },
  'second-subscribe': {
    question: 'What answers a second subscribe?',
    alternatives: ['same-answer', 'refuse'],
    note: 'same-answer: 201 with the subscription that there is. refuse: 400 REQ_BAD_REQUEST while it is active.',
    touches: { operations: ['subscribeSubAccounts'] },
  },
  'checkout-status-code': {
    question: 'Which status does the creation of a checkout session carry?',
    alternatives: ['201', '200'],
    note: 'No source shows it. 201 is what every enveloped creation says.',
    touches: { operations: ['createCheckoutSession'] },
  },
  'list-pages': {
    question: 'Are lists cut into pages?',
    alternatives: ['whole', 'twenty'],
    note: 'No source shows a page. whole: all records. twenty: the first twenty, and `page` in the query, digits from 0, asks for others. Pages beyond 500 are empty.',
    touches: { operations: touched.paymentLists },
  },
  'tanzania-in-lists': {
    question: 'Are payouts in TZS in the list of send-money, and collections in TZS in that of STK?',
    alternatives: ['listed', 'left-out'],
    note: 'They are made there and read under paths of their own. left-out: only those single reads find them.',
    touches: { operations: ['listSendMoney', 'listStkCollections'] },
  },
  'fee-fields': {
    question: 'Do records of bank payouts tell what was charged?',
    alternatives: ['told', 'zero'],
    note: 'The samples are pending and show 0.0. told: fee, share of the service, and amount with fee of a payout that succeeded, 0.0 until then. zero: 0.0 in all three, whatever was charged.',
    touches: { operations: ['getBankPayout', 'listBankPayouts'] },
  },
  'failed-description': {
    question:
      'What is responseDescription in the record of a failed till or paybill payment whose rail gives no reason?',
    alternatives: ['as-accepted', 'null', 'empty'],
    note: 'Text (specified); the one published failure, of a till, shows null, and no source shows a failed paybill. as-accepted: still the text of the acceptance, to which the responseCode 0 of that sample belongs. null: as in that sample. empty: "".',
    touches: { operations: ['getTillPayment', 'listTillPayments', 'getPaybillPayment', 'listPaybillPayments'] },
  },
  'failure-codes': {
    question: 'Do records tell why a payment failed?',
    alternatives: ['told', 'silent'],
    note: 'The one failed record has code 0, no description and no receipt. told: with codes and texts that are made up after those of operators, such as 1032 and NAME_MISMATCH. silent: a failure shows only in status.',
    touches: { operations: touched.records },
  },
  'token-life': {
    question: 'How many seconds does an access token live?',
    alternatives: ['300', '60', '3600'],
    note: 'The specification says 300 by default, and 1800 for a refresh token. A refresh token lives six times as long as its access token, whatever the choice. A token keeps the life with which it was issued.',
    touches: { operations: 'all' },
  },
  'callback-retries': {
    question: 'How often is a callback tried again that was not received?',
    alternatives: ['as-set', 'never', 'hourly'],
    note: 'as-set: as callbacks.retry of the scenario says, four times within 40 minutes by default. never: one attempt. hourly: every hour for a day.',
    touches: { callbacks: 'all' },
  },
  'callback-timeout': {
    question: 'How long has a receiver to answer?',
    alternatives: ['as-set', '3s', '30s'],
    note: 'as-set: as callbacks.timeout of the scenario says, 10 seconds by default. Real time.',
    touches: { callbacks: 'all' },
  },
  'callback-moment': {
    question: 'Does a read show the end of a payment before its callback is sent?',
    alternatives: ['at-once', 'after-callback'],
    note: 'at-once: as soon as it has ended. after-callback: still PENDING until the first attempt of its callback has been made.',
    touches: { operations: [...touched.recordReads, ...touched.statusReads, ...touched.recordLists] },
  },
  'expired-callback': {
    question: 'Is a callback sent when a checkout session expires?',
    alternatives: ['sent', 'none'],
    note: 'EXPIRED is published as a status; the callback is told for the final result.',
    touches: { callbacks: ['checkout'] },
  },
  'reversal-callback': {
    question: 'Is a second callback sent when a final state changes?',
    alternatives: ['sent', 'none'],
    note: 'Whether one can change is not shown: only a scenario does that. none: who does not read again never learns of it.',
    touches: { callbacks: 'all' },
  },
  'extra-fields': {
    question: 'Do answers and callbacks carry fields that no source shows?',
    alternatives: ['none', 'some'],
    note: 'some: one more in each record, whose name and value come from the seed.',
    touches: { operations: 'all', callbacks: 'all', unrouted: true },
  },
  'session-life': {
    question: 'How long can a checkout session be paid?',
    alternatives: ['30m', '5m', '24h'],
    note: 'EXPIRED is published, and no time. A rule that ends sessions EXPIRED says when.',
    touches: { operations: ['createCheckoutSession', 'getCheckoutSession'], callbacks: ['checkout'] },
  },
  'prompt-life': {
    question: 'How long does a customer of a checkout page take to answer the prompt on the phone?',
    alternatives: ['3s', '1m'],
    note: 'Of customers whom nobody plays. While the prompt is open, the session shows REQUIRES_CUSTOMER_ACTION.',
    touches: { operations: ['createCheckoutSession', 'getCheckoutSession'], callbacks: ['checkout'] },
  },
  'error-body': {
    question: 'Which of the published error bodies is on the wire?',
    alternatives: ['nested', 'flat', 'field-list'],
    note: 'nested: {"error":{code,message,details}}, the published sample. flat: errorCode, message, details, statusCode, the published table. field-list: message and errors{}, as the checkout page shows.',
    touches: { operations: 'all', unrouted: true },
  },
  'checkout-error-body': {
    question: 'Which error body do the checkout endpoints answer?',
    alternatives: ['field-list', 'nested', 'flat'],
    note: 'The checkout page publishes field-list as its typical body; its status code is not shown and taken from the general table.',
    touches: { operations: touched.checkoutReads },
  },
  'bad-credentials': {
    question: 'What answers a wrong API key or secret?',
    alternatives: ['AUTH_INVALID_TOKEN', 'AUTH_FORBIDDEN'],
    note: '401 AUTH_INVALID_TOKEN or 403 AUTH_FORBIDDEN.',
    touches: { operations: ['getToken'] },
  },
  'refresh-token': {
    question: 'Is there a call that uses the refresh token?',
    alternatives: ['off', 'on'],
    note: 'No source shows one. on: POST /api/v1/refresh-token {refreshToken} answers as get-token does.',
    touches: { operations: ['refreshToken'] },
  },
  'unlisted-operations': {
    question: 'Are the four operations served that are published on pages the navigation no longer links?',
    alternatives: ['off', 'on'],
    note: 'bank/payout/verify-account, org/wallet-details, allocations/sub/org/all, de-allocations/sub/org/all.',
    touches: {
      operations: ['verifyBankAccount', 'getWalletDetails', 'listReceivedAllocations', 'listReceivedDeallocations'],
    },
  },
  'old-tokens': {
    question: 'Does an older access token stay valid after a new one was issued?',
    alternatives: ['valid', 'revoked'],
    note: 'valid until it expires; or only the newest token of an organisation is accepted.',
    touches: { operations: 'all' },
  },
  'duplicate-reference': {
    question: 'What does a repeated referenceId do?',
    alternatives: ['second-payment', 'refuse', 'replay'],
    note: "second-payment: it makes another payment, so the merchant's own guard is tested. refuse: 400 REQ_INVALID_FIELD. replay: the first answer again, no new payment.",
    touches: { operations: touched.referenced },
  },
  'duplicate-external-reference': {
    question: 'What does a repeated externalReference of a checkout session do?',
    alternatives: ['second-session', 'refuse', 'replay'],
    note: 'As duplicate-reference.',
    touches: { operations: ['createCheckoutSession'] },
  },
  'reference-lookup': {
    question: "Can a payment be read by the caller's referenceId?",
    alternatives: ['in-request-id', 'off'],
    note: 'The pages say a transaction can be queried by it and show no parameter; the reading that fits is passing it as requestId. The newest match answers.',
    touches: { operations: [...touched.recordReads, ...touched.statusReads, 'getBankCollection'] },
  },
  'funds-check': {
    question: 'When are funds checked?',
    alternatives: ['at-creation', 'at-settlement'],
    note: 'at-creation: 402 INSUFFICIENT_FUNDS and nothing is made. at-settlement: accepted as PENDING, then FAILED.',
    touches: { operations: touched.payouts },
  },
  'documented-limits': {
    question: 'Are limits enforced that the published samples themselves break?',
    alternatives: ['warn', 'refuse'],
    note: 'STK description (13 characters) and accountReference (12, letters and digits). warn: the journal names the field.',
    touches: { operations: ['createStkCollection'] },
  },
  'short-code-format': {
    question: 'Which business numbers are accepted?',
    alternatives: ['five-to-ten-digits', 'five-to-seven-digits', 'any'],
    note: 'No rule is published. Requests and records of the samples have five and seven digits, the samples of callbacks ten. any: whatever text is not blank.',
    touches: { operations: ['createTillPayment', 'createPaybillPayment'] },
  },
  'phone-format': {
    question: 'Which phone numbers are accepted?',
    alternatives: ['international', 'lenient'],
    note: 'The send-money page asks for the international form without a plus, for Kenya and Tanzania; the STK page says registered numbers of all three countries. How many digits those have and how they begin is assumed: 2547… and 2541…, 2556… and 2557…, 2567…, twelve in all. lenient: also +254…, 07… and digits in groups.',
    touches: { operations: ['createSendMoney', 'createStkCollection'] },
  },
  'list-order': {
    question: 'In which order do lists come?',
    alternatives: ['oldest-first', 'newest-first'],
    note: 'Published samples show both: send money oldest first, till newest first.',
    touches: { operations: touched.touchedLists },
  },
  'list-scope': {
    question: "Do lists of a parent hold its sub-accounts' records?",
    alternatives: ['own', 'with-sub-accounts'],
    note: 'The pages say "of the organisation". Single reads find a sub-account\'s record for its parent, who names the sub-account where companyId is asked for.',
    touches: { operations: [...touched.recordLists, 'listBankCollections'] },
  },
  'status-read-code': {
    question: 'Which status does GET till/status carry?',
    alternatives: ['200', '201'],
    note: 'The published sample shows 201 on this one read; the specification is silent.',
    touches: { operations: ['getTillPaymentStatus'] },
  },
  'tz-status-word': {
    question: 'Which word do Tanzania reads use once the operator has accepted?',
    alternatives: ['PENDING', 'PAYMENT_ACCEPTED'],
    note: 'A withdrawn revision showed PAYMENT_ACCEPTED or PENDING.',
    touches: { operations: touched.tanzanianReads },
  },
  'tz-error-body': {
    question: 'Which errors do the Tanzania reads answer?',
    alternatives: ['as-others', 'withdrawn'],
    note: 'A withdrawn revision of their pages put codes of their own into message: INVALID_REQUEST_ID, UNAUTHORIZED, NOT_FOUND, RATE_LIMITED. withdrawn: an envelope {status, message, data} with those, and with data null, which is assumed.',
    touches: { operations: touched.tanzanianReads },
  },
  'name-mismatch': {
    question: 'When is it told that the beneficiary name does not match the account?',
    alternatives: ['later', 'at-once'],
    note: 'A mismatch is the most common cause of rejection (specified); how it is reported is not shown. later: the payout is accepted, and FAILED by callback. at-once: 400 REQ_INVALID_FIELD, and nothing is made. Of rules that end a payout FAILED with the errorCode NAME_MISMATCH.',
    touches: { operations: ['createBankPayout'], callbacks: ['bank-payout'] },
  },
  'unlisted-accounts': {
    question: 'What does a beneficiary name do at a bank account that no scenario lists?',
    alternatives: ['any-name', 'invented-holder'],
    note: 'A name that does not match the account is the most common cause of rejection (specified). any-name: every name will do there; the accounts that the default scenario lists have holders. invented-holder: every account has a holder, whom the seed invents, so that only a name that was verified passes.',
    touches: {
      operations: ['createBankPayout', 'verifyBankAccount'],
      callbacks: ['bank-payout', 'account-verification'],
    },
  },
  'bank-code-format': {
    question: 'Which bank codes are accepted?',
    alternatives: ['00-and-two-digits', '00-and-digits', 'four-digits', 'any'],
    note: "00 and the bank's code (specified), which has two digits in the samples of requests: 0025, 00X3. A stored record shows 1032. 00-and-digits: whatever the length of the bank's code. four-digits: 1032, too. any: whatever text is not blank. No list of banks is checked.",
    touches: { operations: ['createBankPayout', 'verifyBankAccount'] },
  },
  'timestamp-form': {
    question: 'Which form have the times of records?',
    alternatives: ['six-digits', 'as-published', 'Z', 'drawn'],
    note: 'Most samples have a fraction of six digits. as-published: of each record as in its sample, with zeros at the end left off in send-money and till payments, eight digits in a new sub-account and nine in a subscription. Z: 2025-01-24T16:28:00Z, as the specification says of some, and no sample shows; it is UTC whatever timestamp-zone says. drawn: the seed chooses six digits or Z for every field of every record.',
    touches: { operations: touched.stamped, callbacks: ['bank-collection'] },
  },
  'timestamp-zone': {
    question: 'Which zone are the timestamps in, which carry none?',
    alternatives: ['utc', 'nairobi'],
    note: 'nairobi prints UTC+3, in dates and in references that are made of them, too: transactiondate, checkoutRef, conversationId, checkoutRequestId.',
    touches: { operations: [...touched.stamped, 'createCheckoutSession'], callbacks: ['bank-collection', 'checkout'] },
  },
  'final-callback': {
    question: 'Which changes are told by callback?',
    alternatives: ['final', 'pending-too'],
    note: 'final: only the end, as specified. pending-too: a callback with PENDING when the payment is made, a value the pages allow; an account verification has no word for it and tells its end alone.',
    touches: { callbacks: 'all' },
  },
  'checkout-callback': {
    question: 'What does a checkout callback hold?',
    alternatives: ['session', 'short'],
    note: 'No body is published. session: id, checkoutRef, externalReference, paymentReference, status, amount, currency, in this order. short: id, checkoutRef, status.',
    touches: { callbacks: ['checkout'] },
  },
  'bank-collection-callback': {
    question: 'What is sent to collectionCallbackUrl?',
    alternatives: ['record', 'none'],
    note: 'No body is published. record: the bank collection record as the list prints it.',
    touches: { callbacks: ['bank-collection'] },
  },
  'callback-signature': {
    question: 'Are callbacks signed?',
    alternatives: ['none', 'standard-webhooks'],
    note: 'No signature is shown. standard-webhooks: webhook-id, webhook-timestamp and webhook-signature headers; the secret is in GET /_mfano/callbacks/secret.',
    touches: { callbacks: 'all' },
  },
  'callback-success': {
    question: 'Which answer counts as received?',
    alternatives: ['2xx', '200'],
    note: 'Redirects are not followed and count as failed.',
    touches: { callbacks: 'all' },
  },
  'checkout-cancel': {
    question: 'What happens to a session when the customer cancels?',
    alternatives: ['stays-pending', 'fails'],
    note: 'There is no cancelled state. stays-pending: the customer may come back until it expires. fails: FAILED, with its callback.',
    touches: { operations: ['createCheckoutSession'] },
  },
  'subscription-required': {
    question: 'Do sub-account calls need an active subscription?',
    alternatives: ['no', 'yes'],
    note: 'yes: 403 AUTH_FORBIDDEN without one.',
    touches: { operations: [...touched.parental, ...touched.allocating, ...touched.allocationLists] },
  },
  'allocation-callers': {
    question: 'Which moves of its own money may a sub-account make with a token of its own?',
    alternatives: ['de-allocations', 'both', 'none'],
    note: 'De-allocations move money from a sub-account to another organisation (specified); they and allocations are meant mainly for a parent or an admin (published). A sub-account gives from its own wallet, to its parent or to another sub-account of it; what it may not is 403 AUTH_FORBIDDEN.',
    touches: { operations: touched.allocating },
  },
  'cancelled-allocation-status': {
    question: 'Which status does a cancelled allocation show in lists?',
    alternatives: ['CANCELLED', 'SUCCESS'],
    note: 'Not shown.',
    touches: { operations: touched.allocationLists },
  },
  'success-record': {
    question: 'What does a successful record show?',
    alternatives: ['filled', 'bare'],
    note: 'Every published record is pending, but for one failed till. filled: receiverName, transactionReceipt, statusCode, statusDesc and endToEndID get plausible values. bare: only status and updatedAt change.',
    touches: { operations: touched.records },
  },
  'net-balance': {
    question: 'What is netBalance in the wallet breakdown?',
    alternatives: ['wallet', 'collections-minus-payouts'],
    note: "wallet: what the sub-account's KES wallet can spend, allocations included. No formula is published.",
    touches: { operations: ['getWalletBreakdown'] },
  },
} as const satisfies AssumptionRegistry

type Registry = typeof assumptions
export type AssumptionId = keyof Registry
export type Chosen = { readonly [Id in keyof Registry]: Registry[Id]['alternatives'][number] }

/** The types hold because scenarios are checked against the registry when they are loaded. */
export function chosen({ scenario }: { readonly scenario: { readonly assumptions: Assumptions } }): Chosen {
  return scenario.assumptions as unknown as Chosen
}

export function asChosen(inForce: Assumptions): Chosen {
  return inForce as unknown as Chosen
}

export const usualChoices = asChosen(defaultsOf(assumptions))

type When<Text extends string> = Reason & { when: Text }
type Under<Id extends AssumptionId> = Chosen[Id] | { [Choice in Chosen[Id]]?: Partial<ReasonAnswer> }

/** Typed so that a reason which rests on an assumption must say under which alternatives it holds. */
export const reason: {
  <Text extends string>(stage: Stage, code: RefusalCode, when: Text, known?: Conventional | 'own'): When<Text>
  <Text extends string, Id extends AssumptionId>(
    stage: Stage,
    code: RefusalCode,
    when: Text,
    ground: Id,
    under: Under<Id>,
  ): When<Text>
} = reasonOf
