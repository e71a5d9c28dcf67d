import { z } from 'zod'
import { amount, envelope, httpUrl, referenceId, requestIdQuery, text } from '../../fields.ts'
import { paybillRecordSchema, shortCodeAcceptedSchema, shortCodeStatusSchema } from '../../short-code.ts'

export const paybillRequest = z
  .object({
    businessNumber: text('specified', 'The paybill that receives the money.', 30),
    accountNumber: text('specified', 'The account under the paybill.', 100),
    amount: amount('specified', 'Kenyan shillings.'),
    remarks: text('specified', 'Free text.'),
    occasion: text('specified', 'Free text.'),
    callbackUrl: httpUrl('specified', 'Told the final outcome.'),
    referenceId: referenceId('specified'),
  })
  .meta({ id: 'PaybillRequest', 'x-basis': 'specified' })

export const paybillAcceptedAnswer = envelope(201, 'Success', shortCodeAcceptedSchema)
export const paybillAnswer = envelope(200, 'Success', paybillRecordSchema)
export const paybillListAnswer = envelope(200, 'Success', z.array(paybillRecordSchema))
export const paybillStatusAnswer = envelope(200, 'Success', shortCodeStatusSchema)

export const singleQuery = z.object({ requestId: requestIdQuery })
