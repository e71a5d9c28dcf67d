/** Airtime on the wire: what is asked and answered. */
import { z } from 'zod'
import {
  amount,
  answered,
  envelope,
  httpUrl,
  known,
  referenceId,
  requestIdQuery,
  text,
} from '../../../src/service/fields.ts'

export const airtimeRequest = z
  .object({
    phoneNumber: text('assumed', 'The phone that is topped up.', { max: 15 }),
    amount: amount('assumed', 'Kenyan shillings.'),
    network: known('assumed', 'Whose airtime it is.', z.enum(['SAFARICOM', 'AIRTEL', 'TELKOM'])),
    callbackUrl: httpUrl('assumed', 'Told the final outcome.'),
    referenceId: referenceId('assumed'),
  })
  .meta({ id: 'AirtimeRequest', 'x-basis': 'assumed' })
export type AirtimeRequest = z.infer<typeof airtimeRequest>

export const airtimeSchema = z
  .strictObject({
    requestId: answered.requestId,
    phoneNumber: known('assumed', 'As sent.', z.string()),
    amount: answered.floatAmount,
    status: answered.status,
    voucher: known('assumed', 'Null until it is bought.', z.string().nullable()),
  })
  .meta({ id: 'Airtime', 'x-basis': 'assumed' })

export const airtimeAccepted = envelope(201, 'Success', airtimeSchema)
export const airtimeAnswer = envelope(200, 'Success', airtimeSchema)
export const airtimeListAnswer = envelope(200, 'Success', z.array(airtimeSchema))
export const singleQuery = z.object({ requestId: requestIdQuery })
