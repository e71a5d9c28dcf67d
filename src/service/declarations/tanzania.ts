/** Reads of Tanzania payouts and collections. They start like all others, and are read under paths of their own. */
import type { View } from '../../core/model/kind.ts'
import type { Payment } from '../../core/model/payment.ts'
import { grounded } from '../../http/json-schema.ts'
import type { RequiredHeader } from '../../http/operation.ts'
import { chosen } from '../assumptions/assumptions.ts'
import { envelope } from '../fields.ts'
import type { PaymentRecord } from './record.ts'

const deviceId: RequiredHeader = {
  name: 'Device-Id',
  why: 'identifies the calling device or client',
  schema: {
    type: 'string',
    pattern: '\\S',
    description: 'Identifies the calling device or client; any text.',
    'x-basis': 'specified',
    'x-constraints': { required: grounded('specified'), pattern: grounded('blank-text') },
  },
}

/** Status and text of the envelope are from a withdrawn page; the records are specified. */
export function tanzanian<Request>(noun: string, { schema, show }: PaymentRecord<Request>) {
  return {
    tag: 'Tanzania',
    headers: [deviceId],
    errorForm: 'tz-error-body',
    currency: 'TZS',
    answer: envelope(200, `The ${noun}`, 'SUCCESS', schema, 'specified', 'published'),
    show: (view: View, payment: Payment<Request>) => ({ ...show(view, payment), status: statusWord(view, payment) }),
  } as const
}

/** A pending payment has been accepted by the operator, and which word says so is assumed (`tz-status-word`). */
function statusWord<Request>(view: View, payment: Payment<Request>): string {
  return payment.status === 'PENDING' ? chosen(view)['tz-status-word'] : payment.status
}
