/** Queries and answers of the Tanzania reads. */
import { grounded } from '../../../core/model/basis.ts'
import type { RequiredHeader } from '../../../http/operation.ts'
import { openObject } from '../../declared/lazy-objects.ts'
import { readEnvelope, requestIdQuery } from '../../fields.ts'
import { sendMoneyRecordSchema } from '../../kinds/send-money/contract.ts'
import { stkRecordSchema } from '../../kinds/stk/contract.ts'

/** Status and text of the envelope are from a withdrawn page; the records are specified. */
export const tanzaniaPayoutAnswer = readEnvelope('SUCCESS', sendMoneyRecordSchema)
export const tanzaniaCollectionAnswer = readEnvelope('SUCCESS', stkRecordSchema)

export const tanzaniaQuery = openObject(() => ({ requestId: requestIdQuery('specified') }))

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
