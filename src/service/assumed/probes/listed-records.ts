/** Records of the lists that an account has, whoever asked for them. */

import { type SeenAnswer, untold } from './asked-by.ts'
import { API } from './asking.ts'
import { type ListedRecord, recordsOf } from './reading.ts'

export const accountHas = (what: string) => untold(`the account has ${what}`)

/** Records of the lists that were read, and what was made. */
export const recordsOfAll = (seen: readonly SeenAnswer[]): ListedRecord[] => seen.flatMap(recordsOf)

const listPaths = [
  `${API}/send-money/all`,
  `${API}/till/all`,
  `${API}/paybill/all`,
  `${API}/stk/all`,
  `${API}/bank/payout/all`,
  `${API}/bank/collection/all`,
]

/** The records of an answer that lists payments, whoever asked for it. */
export const recordsListed = (seen: SeenAnswer): ListedRecord[] =>
  seen.request.method === 'GET' && listPaths.some((path) => seen.request.path.split('?')[0] === path)
    ? recordsOf(seen)
    : []

export const isPaidIn = (prefix: string) => (record: ListedRecord) =>
  typeof record.phoneNumber === 'string' && record.phoneNumber.replace('+', '').startsWith(prefix)

/** An alternative, where one is told. */
export function alternativeOf<Told>(value: Told): Extract<Told, string> | undefined {
  return typeof value === 'string' ? (value as Extract<Told, string>) : undefined
}
