/** Airtime for a phone: a kind of payment that the service does not have. */
import { z } from 'zod'
import { float } from '../../src/core/model/json.ts'
import { referenceUsed } from '../../src/service/declarations/lookups.ts'
import { kind, payoutMachine } from '../../src/service/declarations/payment-kind.ts'
import { field, form, record, settable, shared } from '../../src/service/declarations/record.ts'
import { answered, schemaField } from '../../src/service/fields.ts'
import { EXAMPLE_REFERENCE, exampleCallbackUrl, request } from '../../src/service/requests/request.ts'

const airtimeRequest = request({
  id: 'AirtimeRequest',
  basis: 'assumed',
  fields: ({ text, amount, httpUrl, referenceId }) => ({
    phoneNumber: text('assumed', 'The phone that is topped up.', { max: 15 }),
    amount: amount('assumed', 'Kenyan shillings.'),
    network: schemaField('assumed', 'Whose airtime it is.', z.enum(['SAFARICOM', 'AIRTEL', 'TELKOM'])),
    callbackUrl: httpUrl('assumed', 'Told the final outcome.'),
    referenceId: referenceId('assumed'),
  }),
})
type AirtimeRequest = z.infer<typeof airtimeRequest>

const airtimeRecord = record<AirtimeRequest>('Airtime', 'assumed', {
  requestId: shared(answered.requestId, ({ payment }) => payment.uuid),
  phoneNumber: field('As sent.', form.text, ({ request }) => request.phoneNumber),
  amount: shared(answered.floatAmount, ({ payment }) => float(payment.amountMinor)),
  status: shared(answered.status, ({ payment }) => payment.status),
  voucher: settable('Null until it is bought.', form.textOrNull, null),
})

export const airtime = kind({
  name: 'airtime',
  phrase: 'an airtime purchase',
  direction: 'out',
  machine: payoutMachine('airtime'),
  request: airtimeRequest,
  party: { type: 'phone', field: 'phoneNumber' },
  ends: ['SUCCESS', 'FAILED'],
  reference: { field: 'referenceId', used: referenceUsed },
  outcome: (view, { seq }) => ({ voucher: view.ids.of('voucher', seq).text(12, '0123456789') }),
  tag: 'Airtime',
  base: '/api/sandbox/v1/airtime',
  noun: 'purchase',
  record: airtimeRecord,
  callback: { record: airtimeRecord },
  operations: ({ opens, single }) => [
    opens({
      id: 'createAirtime',
      path: '',
      summary: 'Buy airtime for a phone',
      source: 'a test of the house',
      accepted: airtimeRecord,
      told: { basis: 'assumed' },
      example: (baseUrl) => ({
        phoneNumber: '254745362174',
        amount: 50,
        network: 'AIRTEL',
        callbackUrl: exampleCallbackUrl(baseUrl),
        referenceId: EXAMPLE_REFERENCE,
      }),
    }),
    single({ id: 'getAirtime', summary: 'Read one purchase', source: 'a test of the house' }),
  ],
})
