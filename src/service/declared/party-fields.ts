/** Fields of the other party, shared by several kinds: bank accounts and mobile money. */
import type { Source } from '../../core/model/assumption.ts'
import type { RecordField } from '../../core/model/kind.ts'
import type { Chosen } from '../assumed/assumptions.ts'
import { text } from '../fields.ts'
import type { RequestRule } from '../requests/request-rules.ts'

// Fields of a bank account in requests.

export const bankCode = (basis: Source) =>
  text(basis, "00 and the bank's code: assumption bank-code-format.", { max: 30, required: 'published' })
export const accountNumber = (basis: Source, description: string) =>
  text(basis, description, { max: 34, required: 'published' })

const BANK_CODES = {
  '00-and-two-digits': { pattern: /^00\d{2}$/, expected: 'must be 00 and two digits' },
  '00-and-digits': { pattern: /^00\d+$/, expected: 'must be 00 and digits' },
  'four-digits': { pattern: /^\d{4}$/, expected: 'must be four digits' },
} as const

export function bankCodeRules(chosen: Chosen): RequestRule[] {
  const choice = chosen['bank-code-format']
  return choice === 'any' ? [] : [{ field: 'bankCode', ...BANK_CODES[choice], ground: 'bank-code-format' }]
}

// Shared by payouts over mobile networks.

export const mobileMoneyFailure = { code: 'responseCode', text: 'responseDescription' }

export const mobileMoneyFields = {
  receiverName: 'text',
  transactionReceipt: 'text',
  responseCode: 'integer',
  responseDescription: 'text',
  conversationId: 'text',
} as const satisfies Record<string, RecordField>
