/** The receipt numbers of the simulated networks. */
import { type Chance, UPPER_ALPHANUMERIC } from './chance.ts'
import type { Payment } from './payment.ts'

export function receiptOf({ ids }: { ids: Chance }, { seq }: Pick<Payment, 'seq'>): string {
  return `S${ids.of('receipt', seq).text(9, UPPER_ALPHANUMERIC)}`
}
