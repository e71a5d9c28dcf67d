/** Assumptions by what they are about: payments, callbacks, requests, transport and tokens. */
import type { Assumption } from '../../core/model/assumption.ts'
import {
  allocating,
  companyReads,
  paymentLists,
  payouts,
  recordLists,
  recordReads,
  records,
  statusReads,
  withBody,
  withKey,
} from './touched.ts'

// Assumptions about payments and organisations.

export const paymentAssumptions = {
  'whole-shillings': {
    question: 'May amounts in TZS and UGX have cents?',
    alternatives: ['cents', 'whole'],
    note: 'Every sample is whole; Uganda has no coin below a shilling. cents: two decimals, as in KES. whole: 400 REQ_INVALID_FIELD.',
    area: 'send-money',
    touches: { operations: ['createSendMoney'] },
  },
  'allocation-direction': {
    question: 'May an allocation take from a sub-account, and a de-allocation from a parent?',
    alternatives: ['either', 'as-named'],
    note: 'The sample of a de-allocation runs from parent to sub-account, and the field names decide. as-named: 400 REQ_INVALID_FIELD, since "allocate" gives to a sub-account and "move back" takes from one.',
    area: 'allocations',
    touches: { operations: allocating },
  },
  'taken-emails': {
    question: 'May two organisations of one parent have the same e-mail address?',
    alternatives: ['accept', 'refuse'],
    note: 'Not shown; the address of the parent counts, too. refuse: 400 REQ_INVALID_FIELD for the second.',
    area: 'sub-accounts',
    touches: { operations: ['createSubAccount'] },
  },
  'sub-account-environment': {
    question: 'Which environment do the records of sub-accounts show?',
    alternatives: ['none', 'sandbox'],
    note: 'Text or null (specified). none: null, as in the samples of sub-accounts. sandbox: as in the organisation of a bank collection, which shows it whatever the choice.',
    area: 'sub-accounts',
    touches: { operations: ['createSubAccount', 'listSubAccounts'] },
  },
  'second-subscribe': {
    question: 'What answers a second subscribe?',
    alternatives: ['same-answer', 'refuse'],
    note: 'same-answer: 201 with the subscription that there is. refuse: 400 REQ_BAD_REQUEST while it is active.',
    area: 'sub-accounts',
    touches: { operations: ['subscribeSubAccounts'] },
  },
  'checkout-status-code': {
    question: 'Which status does the creation of a checkout session carry?',
    alternatives: ['201', '200'],
    note: 'No source shows it. 201 is what every enveloped creation says.',
    area: 'checkout',
    touches: { operations: ['createCheckoutSession'] },
  },
  'list-pages': {
    question: 'Are lists cut into pages?',
    alternatives: ['whole', 'twenty'],
    note: 'No source shows a page. whole: all records. twenty: the first twenty, and `page` in the query, digits from 0, asks for others.',
    area: 'lists',
    touches: { operations: paymentLists },
  },
  'tanzania-in-lists': {
    question: 'Are payouts in TZS in the list of send-money, and collections in TZS in that of STK?',
    alternatives: ['listed', 'left-out'],
    note: 'They are made there and read under paths of their own. left-out: only those single reads find them.',
    area: 'lists',
    touches: { operations: ['listSendMoney', 'listStkCollections'] },
  },
  'fee-fields': {
    question: 'Do records of bank payouts tell what was charged?',
    alternatives: ['told', 'zero'],
    note: 'The samples are pending and show 0.0. told: fee, share of the service, and amount with fee of a payout that succeeded, 0.0 until then. zero: 0.0 in all three, whatever was charged.',
    area: 'bank-payout',
    touches: { operations: ['getBankPayout', 'listBankPayouts'] },
  },
  'failed-description': {
    question:
      'What is responseDescription in the record of a failed till or paybill payment whose rail gives no reason?',
    alternatives: ['as-accepted', 'null', 'empty'],
    note: 'Text (specified); the one published failure, of a till, shows null, and no source shows a failed paybill. as-accepted: still the text of the acceptance, to which the responseCode 0 of that sample belongs. null: as in that sample. empty: "".',
    area: 'till, paybill',
    touches: { operations: ['getTillPayment', 'listTillPayments', 'getPaybillPayment', 'listPaybillPayments'] },
  },
  'failure-codes': {
    question: 'Do records tell why a payment failed?',
    alternatives: ['told', 'silent'],
    note: 'The one failed record has code 0, no description and no receipt. told: with codes and texts that are made up after those of operators, such as 1032 and NAME_MISMATCH. silent: a failure shows only in status.',
    area: 'all records',
    touches: { operations: records },
  },
} as const satisfies Record<string, Assumption>

// Assumptions about callbacks: how and when they are sent, what they contain, and how long prompts and sessions live.

export const callbackAssumptions = {
  'callback-retries': {
    question: 'How often is a callback tried again that was not received?',
    alternatives: ['as-set', 'never', 'hourly'],
    note: 'as-set: as callbacks.retry of the scenario says, four times within 40 minutes by default. never: one attempt. hourly: every hour for a day.',
    area: 'callbacks',
    touches: { callbacks: 'all' },
  },
  'callback-timeout': {
    question: 'How long has a receiver to answer?',
    alternatives: ['as-set', '3s', '30s'],
    note: 'as-set: as callbacks.timeout of the scenario says, 10 seconds by default. Real time.',
    area: 'callbacks',
    touches: { callbacks: 'all' },
  },
  'callback-headers': {
    question: 'Which headers do callbacks carry?',
    alternatives: ['plain', 'java-client', 'bare'],
    note: 'plain: content-type application/json and a user-agent. java-client: as clients on the JVM send them, with a charset and an accept header. bare: no user-agent and no accept.',
    area: 'callbacks',
    touches: { callbacks: 'all' },
  },
  'callback-moment': {
    question: 'Does a read show the end of a payment before its callback is sent?',
    alternatives: ['at-once', 'after-callback'],
    note: 'at-once: as soon as it has ended. after-callback: still PENDING until the first attempt of its callback has been made.',
    area: 'callbacks, reads',
    touches: { operations: [...recordReads, ...statusReads, ...recordLists] },
  },
  'expired-callback': {
    question: 'Is a callback sent when a checkout session expires?',
    alternatives: ['sent', 'none'],
    note: 'EXPIRED is published as a status; the callback is told for the final result.',
    area: 'callbacks, checkout',
    touches: { callbacks: ['checkout'] },
  },
  'reversal-callback': {
    question: 'Is a second callback sent when a final state changes?',
    alternatives: ['sent', 'none'],
    note: 'Whether one can change is not shown: only a scenario does that. none: who does not read again never learns of it.',
    area: 'callbacks',
    touches: { callbacks: 'all' },
  },
  'extra-fields': {
    question: 'Do answers and callbacks carry fields that no source shows?',
    alternatives: ['none', 'some'],
    note: 'some: one more in each record, whose name and value come from the seed.',
    area: 'answers, callbacks',
    touches: { operations: 'all', callbacks: 'all', unrouted: true },
  },
  'session-life': {
    question: 'How long can a checkout session be paid?',
    alternatives: ['30m', '5m', '24h'],
    note: 'EXPIRED is published, and no time. A rule that ends sessions EXPIRED says when.',
    area: 'checkout',
    touches: { operations: ['createCheckoutSession', 'getCheckoutSession'], callbacks: ['checkout'] },
  },
  'prompt-life': {
    question: 'How long does a customer of a checkout page take to answer the prompt on the phone?',
    alternatives: ['3s', '1m'],
    note: 'Of customers whom nobody plays. While the prompt is open, the session shows REQUIRES_CUSTOMER_ACTION.',
    area: 'checkout',
    touches: { operations: ['createCheckoutSession', 'getCheckoutSession'], callbacks: ['checkout'] },
  },
} as const satisfies Record<string, Assumption>

// Assumptions about requests: which values are accepted and which are refused.

export const requestAssumptions = {
  'retry-after': {
    question: 'Does 429 say when to ask again?',
    alternatives: ['sent', 'none'],
    note: 'A withdrawn page lists 429 and shows no header. sent: Retry-After, in seconds. Only the rate limits of a scenario answer 429.',
    area: 'errors',
    touches: { operations: 'all' },
  },
  'blank-text': {
    question: 'What becomes of text in a body that is empty or blank?',
    alternatives: ['refuse', 'absent', 'accept'],
    note: 'refuse: 400 REQ_INVALID_FIELD. absent: as if the field had not come, so that it is missing where it is needed. accept: it is text like any other. A currency code is no text, and is never blank. A parameter of the query that is blank is refused whatever the choice.',
    area: 'requests',
    touches: { operations: withBody },
  },
  'null-fields': {
    question: 'What does null mean in a field that may be left out?',
    alternatives: ['absent', 'refuse'],
    note: 'absent: as if the field had not come. refuse: 400 REQ_INVALID_FIELD, for null is not of its type.',
    area: 'requests',
    touches: { operations: withBody },
  },
  'unknown-fields': {
    question: 'What becomes of fields in a body that no source names?',
    alternatives: ['ignore', 'refuse'],
    note: 'ignore: the journal names them. refuse: 400 REQ_INVALID_FIELD.',
    area: 'requests',
    touches: { operations: withBody },
  },
  'number-forms': {
    question: 'Is a number taken that comes as text, and text that comes as a number?',
    alternatives: ['refuse', 'convert'],
    note: 'refuse: 400 REQ_INVALID_FIELD. convert: "100" is 100 where a number belongs, with at most two decimals, and the whole number 12345 is "12345" where text belongs, as lenient readers of JSON have it.',
    area: 'requests',
    touches: { operations: withBody },
  },
  decimals: {
    question: 'What becomes of an amount with more than two decimals?',
    alternatives: ['refuse', 'round', 'cut'],
    note: 'The samples have one or two. refuse: 400 REQ_INVALID_FIELD. round: to the nearest cent, halves up. cut: what is less than a cent is left off.',
    area: 'requests',
    touches: { operations: [...payouts, 'createAllocation', 'createDeallocation', 'createCheckoutSession'] },
  },
  'url-rules': {
    question: 'Which addresses are accepted for callbacks and redirects?',
    alternatives: ['http-and-https', 'https-only'],
    note: 'The pages ask for a publicly reachable URL that accepts POST. http-and-https: with a host and without credentials. https-only: plain http is refused.',
    area: 'requests',
    touches: {
      operations: [...payouts, 'verifyBankAccount', 'createStkCollection', 'createCheckoutSession'],
    },
  },
  'ugx-callback': {
    question: 'Is callbackUrl needed for a payout in UGX?',
    alternatives: ['optional', 'required'],
    note: 'The page asks for it for KSH and TZS, and is silent about UGX. optional: without one nobody is told, and the record shows "". required: 400 REQ_MISSING_FIELD.',
    area: 'send-money',
    touches: { operations: ['createSendMoney'] },
  },
  'required-fields': {
    question: 'Has a sub-account to be given all fields that the sources show, none of which they mark as required?',
    alternatives: ['all', 'few'],
    note: 'all: each is missing where it is left out. few: the user may be without names, type, roles and e-mail address of its own.',
    area: 'sub-accounts',
    touches: { operations: ['createSubAccount'] },
  },
  'company-id': {
    question: "May companyId be the id of a sub-account of the caller's?",
    alternatives: ['with-sub-accounts', 'own'],
    note: "The caller's company (specified). with-sub-accounts: a parent reads a sub-account's records by the sub-account's id. own: any id but the caller's is 403 AUTH_FORBIDDEN.",
    area: 'reads',
    touches: { operations: [...companyReads] },
  },
  'published-company-id': {
    question: 'Is companyId needed where the published tables ask for it and their samples leave it out?',
    alternatives: ['optional', 'required'],
    note: 'send-money/status, till/all. optional: it is checked when sent. required: 400 REQ_MISSING_FIELD without it.',
    area: 'reads',
    touches: { operations: ['getSendMoneyStatus', 'listTillPayments'] },
  },
  'verification-failure': {
    question: 'Which word tells that an account could not be verified?',
    alternatives: ['Failed', 'FAILED'],
    note: 'Only Success is published, with a capital and lower case, where other callbacks have capitals.',
    area: 'bank-payout',
    touches: { callbacks: ['account-verification'] },
  },
} as const satisfies Record<string, Assumption>

// Assumptions about paths, methods, headers and the bytes of bodies.

export const transportAssumptions = {
  'unsupported-media-type': {
    question: 'How is a body that is compressed or not application/json answered?',
    alternatives: ['415', '400', 'accept'],
    note: 'text/plain, application/x-www-form-urlencoded and whatever else; code REQ_BAD_REQUEST. The reference marks Content-Type required on every POST but lists no 415. accept: read it as JSON all the same; one that is compressed is 400.',
    area: 'transport, errors',
    touches: { operations: withBody, noted: true },
  },
  'body-limit': {
    question: 'How large may the body of a request be?',
    alternatives: ['1mb', '100kb'],
    note: 'No limit is shown. 1mb: 1,000,000 bytes. 100kb: 100,000, which some frameworks begin with.',
    area: 'transport, errors',
    touches: { operations: 'all', noted: true },
  },
  'unsupported-method': {
    question: 'How is a known path with a wrong method answered?',
    alternatives: ['405', '404'],
    note: '405 with an Allow header and code REQ_BAD_REQUEST; or as an unknown path. The published table lists no 405.',
    area: 'transport, errors',
    touches: { unrouted: true, noted: true },
  },
  'trailing-slash': {
    question: 'What answers a path with a slash behind it?',
    alternatives: ['404', 'same', '301', '308'],
    note: '404: it is another path, and unknown. same: as without. 301 and 308: a redirect to the path without; after 301 most clients ask with GET and without their body.',
    area: 'transport',
    touches: { operations: 'all', unrouted: true, noted: true },
  },
  'idempotency-key': {
    question: 'What does a second request with the same Idempotency-Key do?',
    alternatives: ['ignored', 'replay', 'refuse'],
    note: 'No source names the header. ignored: it is worked on like any other, and the journal names the header. replay: the first answer again, byte for byte, and nothing is made; with another operation or body, 409 REQ_BAD_REQUEST. refuse: 409 REQ_BAD_REQUEST. A key belongs to an organisation, and only a request that was accepted uses it up.',
    area: 'transport, payments',
    touches: { operations: withKey, noted: true },
  },
} as const satisfies Record<string, Assumption>

// Assumptions about tokens.

export const tokenAssumptions = {
  'token-life': {
    question: 'How many seconds does an access token live?',
    alternatives: ['300', '60', '3600'],
    note: 'The specification says 300 by default, and 1800 for a refresh token. A refresh token lives six times as long as its access token, whatever the choice. A token keeps the life with which it was issued.',
    area: 'token',
    touches: { operations: 'all' },
  },
} as const satisfies Record<string, Assumption>
