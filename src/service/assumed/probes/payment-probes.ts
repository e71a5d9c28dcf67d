/** Probes that need a payment. */

import { oneWay, untold } from './asked-by.ts'
import { FAR_ABOVE, paying, payingBank, referenceOf, untoldOfPayment } from './asking.ts'
import { byStatus, isDone, isRefusedForForm } from './reading.ts'
import type { SomeProbes } from './some-probes.ts'

export const paymentProbes = {
  'funds-check': oneWay(
    'payment',
    // Nothing is paid either way: where it is accepted, it fails.
    (account) => [paying(account, { amount: FAR_ABOVE, referenceId: `${referenceOf(account)}-funds` })],
    ([seen]) => {
      if (seen?.status === 402) return 'at-creation'
      if (seen && isDone(seen)) return 'at-settlement'
      return seen?.status === 403 ? untold('a limit is told before the funds') : undefined
    },
    ['phone-ke'],
  ),
  'duplicate-reference': oneWay(
    'payment',
    (account) => [paying(account), paying(account, {}, { repeats: 1 })],
    ([first, second]) => {
      if (!first || !isDone(first)) return untoldOfPayment(first)
      if (!second || !isDone(second)) return byStatus(second, { 400: 'refuse', 409: 'refuse' })
      return first.body?.data?.requestId === second.body?.data?.requestId ? 'replay' : 'second-payment'
    },
    ['phone-ke'],
  ),
  'name-mismatch': oneWay(
    'payment',
    (account) => [payingBank(account, '/mismatch')],
    ([seen]) => (seen && isDone(seen) ? 'later' : seen && isRefusedForForm(seen) ? 'at-once' : undefined),
    ['bank-account'],
  ),
  'unlisted-accounts': {
    unaskable: 'it is about accounts that no scenario lists; at the real service each account has its holder',
  },
} as const satisfies SomeProbes
