/** Pays out to mobile money, in the currency of any country. */
import * as z from 'zod'
import { payoutMachine } from '../../../core/machines.ts'
import type { View } from '../../../core/model/view.ts'
import { enveloped } from '../../declared/answers.ts'
import { finalOutcome, opens, referenceUsed } from '../../declared/opens.ts'
import { kind } from '../../declared/payment-kind.ts'
import { readsAll, readsOne } from '../../declared/reads.ts'
import { mobileMoneyFailure, mobileMoneyFields } from '../../families/mobile-money.ts'
import { publishedEnvelope, readEnvelope } from '../../fields.ts'
import { EXAMPLE_REFERENCE, exampleCallbackUrl } from '../../requests/example-values.ts'
import { phoneForm, phoneOf } from '../../requests/phone-forms.ts'
import {
  companyQuery,
  sendMoneyAcceptedAnswer,
  sendMoneyFieldsOfOtherCurrencies,
  sendMoneyLedgerCurrency,
  sendMoneyQuery,
  sendMoneyRecordSchema,
  sendMoneyRequest,
  sendMoneyStatusSchema,
  statusQuery,
} from './contract.ts'
import { type SendMoney, sendMoneyAccepted, sendMoneyOutcome, sendMoneyRecord, sendMoneyStatus } from './record.ts'

const tag = 'Mobile money payouts'
const base = '/api/sandbox/v1/send-money'

const create = opens({
  id: 'createSendMoney',
  path: base,
  tag,
  summary: 'Send money to a mobile wallet',
  description: 'Accepted as PENDING; the final outcome is sent to callbackUrl.',
  basis: 'specified',
  source: 'specification, Mobile money payouts; published b2c/post',
  body: sendMoneyRequest,
  answer: { status: 201, description: 'Accepted', schema: sendMoneyAcceptedAnswer },
  callback: finalOutcome(sendMoneyStatusSchema),
  example: (baseUrl) => ({
    phoneNumber: '254745362174',
    amount: 1000,
    currencyCode: 'KSH',
    remarks: 'January wages',
    occasion: 'Wages',
    callbackUrl: exampleCallbackUrl(baseUrl),
    referenceId: EXAMPLE_REFERENCE,
  }),
  refuses: [phoneForm],
  ask: (call) => {
    const { body, unread } = call
    const currency = sendMoneyLedgerCurrency(body)
    const phoneNumber = phoneOf(call, body.phoneNumber, currency)
    unread(...sendMoneyFieldsOfOtherCurrencies(body))
    return { currency, request: { ...body, phoneNumber } }
  },
  accepted: (payment) => enveloped(201, 'Success', sendMoneyAccepted(payment)),
})

const single = readsOne({
  id: 'getSendMoney',
  path: `${base}/single`,
  tag,
  summary: 'Read one payout',
  basis: 'specified',
  source: 'specification, Mobile money payouts; published b2c/get_single',
  query: sendMoneyQuery,
  answer: { status: 200, description: 'The payout', schema: readEnvelope('Success', sendMoneyRecordSchema) },
  data: sendMoneyRecord,
})

const all = readsAll({
  id: 'listSendMoney',
  path: `${base}/all`,
  tag,
  summary: 'List the payouts of a company',
  basis: 'specified',
  source: 'specification, Mobile money payouts; published b2c/get_all',
  query: companyQuery,
  answer: { status: 200, description: 'All of them', schema: readEnvelope('Success', z.array(sendMoneyRecordSchema)) },
  data: sendMoneyRecord,
})

const status = readsOne({
  id: 'getSendMoneyStatus',
  path: `${base}/status`,
  tag,
  summary: 'Read the status of a payout',
  basis: 'published',
  source: 'published b2c/get_status',
  query: statusQuery,
  answer: { status: 200, description: 'Its status', schema: publishedEnvelope(200, 'Success', sendMoneyStatusSchema) },
  data: (_view: View, payment: SendMoney) => sendMoneyStatus(payment),
})

export const sendMoney = kind({
  name: 'send-money',
  phrase: 'a send-money payout',
  direction: 'out',
  machine: payoutMachine('send-money'),
  request: sendMoneyRequest,
  currency: 'currencyCode',
  party: { type: 'phone', field: 'phoneNumber', name: 'receiverName' },
  ends: ['SUCCESS', 'FAILED'],
  failure: mobileMoneyFailure,
  fields: mobileMoneyFields,
  unshown: ['responseDescription'],
  reference: { field: 'referenceId', used: referenceUsed },
  outcome: sendMoneyOutcome,
  record: sendMoneyRecord,
  callback: { schema: sendMoneyStatusSchema, to: 'request', body: (_view, payment) => sendMoneyStatus(payment) },
  operations: [create, single, all, status],
})
