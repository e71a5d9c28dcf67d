/** Assumptions about requests: which values are accepted and which are refused. */
import type { Assumption } from '../../core/model/assumption.ts'
import { companyReads, payouts, withBody } from './touched.ts'

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
