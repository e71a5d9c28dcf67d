/** What payouts over the mobile networks have in common. */
import type { RecordField } from '../../core/model/kind.ts'

/** Where a rail of mobile money says why it failed. */
export const mobileMoneyFailure = { code: 'responseCode', text: 'responseDescription' }

/** Fields of their records that an end may set. */
export const mobileMoneyFields = {
  receiverName: 'text',
  transactionReceipt: 'text',
  responseCode: 'integer',
  responseDescription: 'text',
  conversationId: 'text',
} as const satisfies Record<string, RecordField>
