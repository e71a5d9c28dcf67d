/** Collects from a phone: the payer approves a prompt. */
import * as z from 'zod'
import { payoutMachine } from '../../../core/machines.ts'
import type { View } from '../../../core/model/view.ts'
import { chosen } from '../../assumed/assumptions.ts'
import { enveloped } from '../../declared/answers.ts'
import { finalOutcome, opens, referenceUsed, warnOf } from '../../declared/opens.ts'
import { kind } from '../../declared/payment-kind.ts'
import { readsAll, readsOne } from '../../declared/reads.ts'
import { publishedEnvelope, readEnvelope } from '../../fields.ts'
import { EXAMPLE_REFERENCE, exampleCallbackUrl } from '../../requests/example-values.ts'
import { phoneForm, phoneOf } from '../../requests/phone-forms.ts'
import { phoneCollections } from './collections.ts'
import {
  documentedLimits,
  STK_ACCEPTED,
  stkAcceptedAnswer,
  stkCallbackSchema,
  stkFieldsOfOtherCurrencies,
  stkLedgerCurrency,
  stkQuery,
  stkRecordSchema,
  stkRequest,
  stkStatusQuery,
  stkStatusSchema,
} from './contract.ts'
import { promptFailures, type Stk, stkAccepted, stkCallback, stkRecord, stkStatus } from './record.ts'

const tag = 'Mobile collections'
const base = '/api/sandbox/v1/stk'

const create = opens({
  id: 'createStkCollection',
  path: `${base}/new`,
  tag,
  summary: 'Ask a payer to pay by phone prompt',
  description: 'The prompt goes to phoneNumber; the final outcome is sent to callbackUrl.',
  basis: 'published',
  source: 'published stk/post',
  body: stkRequest,
  answer: { status: 201, description: 'Accepted', schema: stkAcceptedAnswer },
  callback: finalOutcome(stkCallbackSchema),
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
    const currency = stkLedgerCurrency(body)
    const phoneNumber = phoneOf(call, body.phoneNumber, currency)
    if (chosen(core)['documented-limits'] === 'warn') warnOf(documentedLimits, body, warn)
    unread(...stkFieldsOfOtherCurrencies(body))
    return { currency, request: { ...body, phoneNumber } }
  },
  accepted: (payment) => enveloped(201, STK_ACCEPTED, stkAccepted(payment)),
})

const single = readsOne({
  id: 'getStkCollection',
  path: `${base}/single`,
  tag,
  summary: 'Read one mobile collection',
  basis: 'specified',
  source: 'specification, Collections; published stk/single',
  query: stkQuery,
  answer: { status: 200, description: 'The collection', schema: readEnvelope('Success', stkRecordSchema) },
  data: stkRecord,
})

const status = readsOne({
  id: 'getStkCollectionStatus',
  path: `${base}/status`,
  tag,
  summary: 'Read the status of a mobile collection',
  basis: 'published',
  source: 'published stk/status',
  query: stkStatusQuery,
  answer: { status: 200, description: 'Its status', schema: publishedEnvelope(200, 'Success', stkStatusSchema) },
  data: (_view: View, payment: Stk) => stkStatus(payment),
})

const all = readsAll({
  id: 'listStkCollections',
  path: `${base}/all`,
  tag,
  summary: 'List mobile collections',
  basis: 'published',
  source: 'published stk/all',
  answer: {
    status: 200,
    description: 'All of them',
    schema: publishedEnvelope(200, 'Success', z.array(stkRecordSchema)),
  },
  data: stkRecord,
})

export const stk = kind({
  name: 'stk',
  phrase: 'an STK collection',
  direction: 'in',
  machine: payoutMachine('stk', { asks: true }),
  request: stkRequest,
  currency: 'currencyCode',
  party: { type: 'phone', field: 'phoneNumber' },
  ends: ['SUCCESS', 'FAILED'],
  failure: { code: 'responseCode', text: 'responseDescription' },
  fields: { responseCode: 'integer', responseDescription: 'text', customerMessage: 'text' },
  reference: { field: 'referenceId', used: referenceUsed },
  record: stkRecord,
  callback: { schema: stkCallbackSchema, to: 'request', body: (_view, payment) => stkCallback(payment) },
  prompt: {
    status: 'PENDING',
    approve: 'SUCCEED',
    failed: (failure) => promptFailures[failure],
    reference: (_view, { request }) => request.accountReference ?? null,
  },
  collections: phoneCollections,
  operations: [create, single, status, all],
})
