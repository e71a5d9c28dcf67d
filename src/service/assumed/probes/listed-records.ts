/** Collects the records of an account's lists from all answers. */

import { type SeenAnswer, untold } from './asked-by.ts'
import { API } from './asking.ts'
import { type ListedRecord, recordsOf } from './reading.ts'

export const accountHas = (what: string) => untold(`the account has ${what}`)

export const recordsOfAll = (seen: readonly SeenAnswer[]): ListedRecord[] => seen.flatMap(recordsOf)

const listPaths = [
  `${API}/send-money/all`,
  `${API}/till/all`,
  `${API}/paybill/all`,
  `${API}/stk/all`,
  `${API}/bank/payout/all`,
  `${API}/bank/collection/all`,
]

export const recordsListed = (seen: SeenAnswer): ListedRecord[] =>
  seen.request.method === 'GET' && listPaths.some((path) => seen.request.path.split('?')[0] === path)
    ? recordsOf(seen)
    : []

export const isPaidIn = (prefix: string) => (record: ListedRecord) =>
  typeof record.phoneNumber === 'string' && record.phoneNumber.replace('+', '').startsWith(prefix)

export function alternativeOf<Told>(value: Told): Extract<Told, string> | undefined {
  return typeof value === 'string' ? (value as Extract<Told, string>) : undefined
}
