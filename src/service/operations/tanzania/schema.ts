/** Queries and answers of the Tanzania reads. */
import { grounded } from '../../../core/model/basis.ts'
import type { RequiredHeader } from '../../../http/operation.ts'
import { openObject } from '../../declared/lazy-objects.ts'
import { envelope, requestIdQuery } from '../../fields.ts'
import { sendMoneyRecordSchema } from '../../kinds/send-money/contract.ts'
import { stkRecordSchema } from '../../kinds/stk/contract.ts'

/** The text of the envelope is from a withdrawn page; the records are specified. */
export const tanzaniaPayoutAnswer = envelope(200, 'SUCCESS', sendMoneyRecordSchema)
export const tanzaniaCollectionAnswer = envelope(200, 'SUCCESS', stkRecordSchema)

export const tanzaniaQuery = openObject(() => ({ requestId: requestIdQuery }))

export const deviceId: RequiredHeader = {
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
