/** Assumptions about payments and organisations. */
import type { Assumption } from '../../core/model/assumption.ts'
import { allocating, paymentLists, records } from './touched.ts'

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
