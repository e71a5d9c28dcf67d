import type { Chosen } from '../assumed/assumptions.ts'
import type { RequestRule } from '../requests/request-rules.ts'

const BANK_CODES = {
  '00-and-two-digits': { pattern: /^00\d{2}$/, expected: 'must be 00 and two digits' },
  '00-and-digits': { pattern: /^00\d+$/, expected: 'must be 00 and digits' },
  'four-digits': { pattern: /^\d{4}$/, expected: 'must be four digits' },
} as const

export function bankCodeRules(chosen: Chosen): RequestRule[] {
  const choice = chosen['bank-code-format']
  return choice === 'any' ? [] : [{ field: 'bankCode', ...BANK_CODES[choice], ground: 'bank-code-format' }]
}

/** Of payouts over mobile networks. */
export const mobileMoneyFailure = { code: 'responseCode', text: 'responseDescription' }
