/** Shared by payouts over mobile networks. */
import type { RecordField } from '../../core/model/kind.ts'

export const mobileMoneyFailure = { code: 'responseCode', text: 'responseDescription' }

export const mobileMoneyFields = {
  receiverName: 'text',
  transactionReceipt: 'text',
  responseCode: 'integer',
  responseDescription: 'text',
  conversationId: 'text',
} as const satisfies Record<string, RecordField>
