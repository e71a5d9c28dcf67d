/** Airtime for a phone: a kind of payment that the service does not have. */
import { z } from 'zod'
import { payoutMachine } from '../../src/core/machines.ts'
import { float } from '../../src/core/model/json.ts'
import type { View } from '../../src/core/model/kind.ts'
import type { Payment } from '../../src/core/model/payment.ts'
import {
  enveloped,
  finalOutcome,
  opens,
  readsAll,
  readsOne,
  referenceUsed,
} from '../../src/service/declared/operations.ts'
import { kind } from '../../src/service/declared/payment-kind.ts'
import { answered, envelope, known } from '../../src/service/fields.ts'
import { EXAMPLE_REFERENCE, exampleCallbackUrl } from '../../src/service/requests/example-values.ts'
import { request } from '../../src/service/requests/request.ts'

const airtimeRequest = request({
  id: 'AirtimeRequest',
  basis: 'assumed',
  fields: ({ text, amount, httpUrl, referenceId }) => ({
    phoneNumber: text('assumed', 'The phone that is topped up.', { max: 15 }),
    amount: amount('assumed', 'Kenyan shillings.'),
    network: known('assumed', 'Whose airtime it is.', z.enum(['SAFARICOM', 'AIRTEL', 'TELKOM'])),
    callbackUrl: httpUrl('assumed', 'Told the final outcome.'),
    referenceId: referenceId('assumed'),
  }),
})
type AirtimeRequest = z.infer<typeof airtimeRequest>

const airtimeSchema = z
  .strictObject({
    requestId: answered.requestId,
    phoneNumber: known('assumed', 'As sent.', z.string()),
    amount: answered.floatAmount,
    status: answered.status,
    voucher: known('assumed', 'Null until it is bought.', z.string().nullable()),
  })
  .meta({ id: 'Airtime', 'x-basis': 'assumed' })

const airtimeAccepted = envelope(201, 'Success', airtimeSchema)
const airtimeAnswer = envelope(200, 'Success', airtimeSchema)
const airtimeListAnswer = envelope(200, 'Success', z.array(airtimeSchema))
const singleQuery = request({ fields: ({ requestId }) => ({ requestId: requestId('published') }) })

const tag = 'Airtime'
const base = '/api/sandbox/v1/airtime'
const shared = { tag, basis: 'assumed', source: 'a test of the house' } as const

function airtimeRecord(_view: View, { uuid, request, amountMinor, status, details }: Payment<AirtimeRequest>) {
  return {
    requestId: uuid,
    phoneNumber: request.phoneNumber,
    amount: float(amountMinor),
    status,
    voucher: details['voucher'] ?? null,
  }
}

const create = opens({
  ...shared,
  id: 'createAirtime',
  path: base,
  summary: 'Buy airtime for a phone',
  body: airtimeRequest,
  answer: { status: 201, description: 'Accepted', schema: airtimeAccepted },
  callback: finalOutcome(airtimeSchema, { basis: 'assumed' }),
  example: (baseUrl) => ({
    phoneNumber: '254745362174',
    amount: 50,
    network: 'AIRTEL',
    callbackUrl: exampleCallbackUrl(baseUrl),
    referenceId: EXAMPLE_REFERENCE,
  }),
  accepted: (payment, { core }) => enveloped(201, 'Success', airtimeRecord(core, payment)),
})

const single = readsOne({
  ...shared,
  id: 'getAirtime',
  path: `${base}/single`,
  summary: 'Read one purchase',
  query: singleQuery,
  answer: { status: 200, description: 'The purchase', schema: airtimeAnswer },
  data: airtimeRecord,
})

const all = readsAll({
  ...shared,
  id: 'listAirtime',
  path: `${base}/all`,
  summary: 'List all purchases',
  answer: { status: 200, description: 'All of them', schema: airtimeListAnswer },
  data: airtimeRecord,
})

export const airtime = kind({
  name: 'airtime',
  phrase: 'an airtime purchase',
  direction: 'out',
  machine: payoutMachine('airtime'),
  request: airtimeRequest,
  party: { type: 'phone', field: 'phoneNumber' },
  ends: ['SUCCESS', 'FAILED'],
  fields: { voucher: 'text' },
  reference: { field: 'referenceId', used: referenceUsed },
  outcome: (view, { seq }) => ({ voucher: view.ids.of('voucher', seq).text(12, '0123456789') }),
  record: airtimeRecord,
  callback: { schema: airtimeSchema, to: 'request', body: airtimeRecord },
  operations: [create, single, all],
})
