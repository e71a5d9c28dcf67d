/** Pays out to a Kenyan bank account. */
import { payoutMachine } from '../../../core/machines.ts'
import type { View } from '../../../core/model/view.ts'
import { reason } from '../../assumed/assumptions.ts'
import { enveloped } from '../../declared/answers.ts'
import { finalOutcome, opens, referenceUsed } from '../../declared/opens.ts'
import { kind } from '../../declared/payment-kind.ts'
import { readsAll, readsOne } from '../../declared/reads.ts'
import { EXAMPLE_REFERENCE, exampleCallbackUrl } from '../../requests/example-values.ts'
import {
  bankPayoutAcceptedAnswer,
  bankPayoutAnswer,
  bankPayoutCallbackSchema,
  bankPayoutListAnswer,
  bankPayoutQuery,
  bankPayoutRequest,
} from './contract.ts'
import {
  type BankPayout,
  bankPayoutAccepted,
  bankPayoutCallback,
  bankPayoutOutcome,
  bankPayoutRecord,
} from './record.ts'

const tag = 'Bank payouts'
const base = '/api/sandbox/v1/bank/payout'

const create = opens({
  id: 'createBankPayout',
  path: `${base}/new`,
  tag,
  summary: 'Pay out to a Kenyan bank account',
  description: 'Accepted as PENDING; the final outcome is sent to callbackUrl.',
  basis: 'specified',
  source: 'specification, Bank payouts; published bank_payouts/pesalink/post',
  body: bankPayoutRequest,
  answer: { status: 201, description: 'Accepted', schema: bankPayoutAcceptedAnswer },
  callback: finalOutcome(bankPayoutCallbackSchema),
  example: (baseUrl) => ({
    bankCode: '0068',
    beneficiaryName: 'Jane Wanjiku Mwangi',
    creditAccountNumber: '0123456789',
    amount: 2500,
    narration: 'Invoice 2041',
    callbackUrl: exampleCallbackUrl(baseUrl),
    referenceId: EXAMPLE_REFERENCE,
  }),
  accepted: (payment) => enveloped(201, 'Success', bankPayoutAccepted(payment)),
})

const single = readsOne({
  id: 'getBankPayout',
  path: `${base}/single`,
  tag,
  summary: 'Read one bank payout',
  description: 'The data is an array with this one record.',
  basis: 'specified',
  source: 'specification, Bank payouts; published bank_payouts/pesalink/get-single',
  query: bankPayoutQuery,
  answer: { status: 200, description: 'The payout, in an array', schema: bankPayoutAnswer },
  data: (view: View, payment: BankPayout) => [bankPayoutRecord(view, payment)],
})

const all = readsAll({
  id: 'listBankPayouts',
  path: `${base}/all`,
  tag,
  summary: 'List bank payouts',
  basis: 'specified',
  source: 'specification, Bank payouts; published bank_payouts/pesalink/get-all',
  answer: { status: 200, description: 'All of them', schema: bankPayoutListAnswer },
  data: bankPayoutRecord,
})

const nameMismatch = reason('rules', 'REQ_INVALID_FIELD', 'the account has another holder', 'name-mismatch', 'at-once')

export const bankPayout = kind({
  name: 'bank-payout',
  phrase: 'a bank payout',
  direction: 'out',
  machine: payoutMachine('bank-payout'),
  request: bankPayoutRequest,
  party: { type: 'account', field: 'creditAccountNumber', bank: 'bankCode', name: 'beneficiaryName' },
  ends: ['SUCCESS', 'FAILED'],
  failure: { code: 'errorCode', text: 'errorDesc' },
  refusedAtOnce: { failure: 'NAME_MISMATCH', reason: nameMismatch },
  fields: {
    statusCode: 'any',
    statusDesc: 'text',
    requestId: 'text',
    originalRequestID: 'text',
    endToEndID: 'text',
    errorCode: 'any',
    errorDesc: 'text',
    transaction_fee: 'amount',
    service_amount: 'amount',
    transaction_amount: 'amount',
  },
  reference: { field: 'referenceId', used: referenceUsed },
  outcome: bankPayoutOutcome,
  record: bankPayoutRecord,
  callback: { schema: bankPayoutCallbackSchema, to: 'request', body: bankPayoutCallback },
  operations: [create, single, all],
})
