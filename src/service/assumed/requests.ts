/** What is assumed of how requests are read: which values are taken, and which are refused. */
import type { Assumption } from '../../model/assumption.ts'
import { payouts, withBody } from '../touched.ts'

export const requestAssumptions = {
  'blank-text': {
    question: 'What becomes of text that is empty or blank?',
    alternatives: ['refuse', 'absent', 'accept'],
    note: 'refuse: 400 REQ_INVALID_FIELD. absent: as if the field had not come, so that it is missing where it is needed. accept: it is text like any other.',
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
  'unknown-parameters': {
    question: 'What becomes of query parameters that no source names?',
    alternatives: ['ignore', 'refuse'],
    note: 'ignore: the journal names them. refuse: 400 REQ_INVALID_FIELD.',
    area: 'requests',
    touches: { operations: 'all' },
  },
  'number-forms': {
    question: 'Is a number taken that comes as text, and text that comes as a number?',
    alternatives: ['refuse', 'convert'],
    note: 'refuse: 400 REQ_INVALID_FIELD. convert: "100" is 100 where a number belongs, and 12345 is "12345" where text belongs, as lenient readers of JSON have it.',
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
  'missing-code': {
    question: 'Which code answers a request in which some fields are missing and others are wrong?',
    alternatives: ['missing-if-all-are', 'missing-if-any-is', 'invalid'],
    note: 'missing-if-all-are: REQ_MISSING_FIELD where nothing else is wrong, otherwise REQ_INVALID_FIELD. missing-if-any-is: REQ_MISSING_FIELD as soon as one field is missing. invalid: always REQ_INVALID_FIELD.',
    area: 'requests, errors',
    touches: { operations: 'all' },
  },
  'invented-limits': {
    question: 'Are lengths and counts limited where no source shows a limit?',
    alternatives: ['refuse', 'none'],
    note: 'Text of at most 1,000 characters, 30 to 200 for names, numbers and references, and 20 roles. none: nothing but the size of the body. The largest amount, 999,999,999,999.99, is what the program can count, and stays.',
    area: 'requests',
    touches: { operations: 'all' },
  },
  'contact-forms': {
    question: 'Are e-mail addresses checked, and phone numbers to which no money goes?',
    alternatives: ['checked', 'any'],
    note: 'checked: an e-mail address has an @ and a domain; customerPhone is a plus and 7 to 15 digits, as the sample has a plus; the phone of a sub-account has 9 to 15 digits. any: whatever text.',
    area: 'checkout, sub-accounts',
    touches: { operations: ['createCheckoutSession', 'createSubAccount'] },
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
  'payment-methods': {
    question: 'May paymentMethods be empty, or name a method twice?',
    alternatives: ['refuse', 'accept'],
    note: 'refuse: 400 REQ_INVALID_FIELD. accept: none means all, and twice is once.',
    area: 'checkout',
    touches: { operations: ['createCheckoutSession'] },
  },
  'required-fields': {
    question: 'Has a sub-account to be given all fields that the sources show, none of which they mark as required?',
    alternatives: ['all', 'few'],
    note: 'all: each is missing where it is left out. few: the user may be without names, type, roles and e-mail address of its own.',
    area: 'sub-accounts',
    touches: { operations: ['createSubAccount'] },
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
    area: 'bank payouts',
    touches: { callbacks: ['account-verification'] },
  },
} as const satisfies Record<string, Assumption>
