/** What reads of Tanzania payouts and collections ask and answer. */
import { z } from 'zod'
import { envelope, requestIdQuery } from '../../fields.ts'
import { sendMoneyRecordSchema } from '../../kinds/send-money/contract.ts'
import { stkRecordSchema } from '../../kinds/stk/contract.ts'

/** The envelope's text is from a withdrawn page; the records are specified. */
export const tanzaniaPayoutAnswer = envelope(200, 'SUCCESS', sendMoneyRecordSchema)
export const tanzaniaCollectionAnswer = envelope(200, 'SUCCESS', stkRecordSchema)

export const singleQuery = z.object({ requestId: requestIdQuery })
