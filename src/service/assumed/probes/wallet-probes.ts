/** Probes for transfers between own wallets, and for their place in the wallet breakdown. */

import {
  oneWay,
  type ProbeAccount,
  type ProbeRequest,
  type ProbeStep,
  type SeenAnswer,
  Untold,
  untold,
} from './asked-by.ts'
import { API, FAR_ABOVE, get, listReads, NOBODY, post } from './asking.ts'
import { byStatus, isDone, type ListedRecord, recordsOf } from './reading.ts'
import type { SomeProbes } from './some-probes.ts'

const NO_SUB_ACCOUNT = 'the account has no sub-account'
/** Larger than rounding errors of sums. */
const A_CENT = 0.01

const move = (path: string, from: string, to: string, amount: number, more: Partial<ProbeRequest> = {}) =>
  post(`${API}/${path}/new`, { fromOrganisationId: from, toOrganisationId: to, amount }, more)

function firstOf(subs: SeenAnswer | undefined): string | Untold {
  if (subs?.status !== 200) return untold(`sub-accounts are not listed: ${subs?.status}`)
  return recordsOf(subs)[0]?.uuid ?? untold(NO_SUB_ACCOUNT)
}

function ownerOf(subs: SeenAnswer | undefined, collections: SeenAnswer | undefined): string | Untold {
  if (subs?.status !== 200) return untold(`sub-accounts are not listed: ${subs?.status}`)
  const own = recordsOf(collections).find(({ organisation }) => organisation?.uuid)
  return own?.organisation.uuid ?? untold('the sub-account has no bank collection, which would show its id')
}

const thereAndBack = (account: ProbeAccount): ProbeStep[] => {
  const idOf = (seen: readonly SeenAnswer[]) => seen[2]?.body?.data?.requestId ?? NOBODY
  const cancel = (seen: readonly SeenAnswer[]) =>
    get(`${API}/allocations/single/cancel?allocationId=${idOf(seen)}`, { restores: true })
  return [
    listReads.subAccounts(),
    { ...listReads.breakdown(), repeats: 1 },
    ([subs]) => {
      const first = firstOf(subs)
      return first instanceof Untold ? first : move('allocations', account.companyId, first, account.amount)
    },
    (seen) =>
      seen[2] && isDone(seen[2])
        ? { ...listReads.breakdown(), repeats: 2 }
        : untold(`an allocation was answered ${seen[2]?.status}`),
    (seen) => (seen[2] && isDone(seen[2]) ? cancel(seen) : undefined),
    get(`${API}/allocations/allocations/org/all`, { repeats: 1 }),
  ]
}

const balanceIn = (seen: SeenAnswer | undefined, uuid: string): number | undefined =>
  recordsOf(seen).find(({ organisationUuid }) => organisationUuid === uuid)?.netBalance

const differs = (a: number, b: number) => Math.abs(a - b) > A_CENT
export const walletProbes = {
  'net-balance': {
    ways: [
      {
        tier: 'free',
        steps: () => [listReads.breakdown()],
        tells: ([breakdown]) => {
          if (breakdown?.status !== 200) return untold(`the wallet breakdown was answered ${breakdown?.status}`)
          // Whichever totals it is made of.
          const isMade = (one: ListedRecord) => {
            const payouts = one.totalTransactions - one.totalCollections
            return !differs(one.netBalance, one.totalCollections - payouts)
          }
          return recordsOf(breakdown).some((one) => !isMade(one))
            ? 'wallet'
            : untold('every balance of the breakdown is what was collected less what was paid out')
        },
      },
      {
        tier: 'own-transfer',
        steps: thereAndBack,
        tells: ([subs, before, , after]) => {
          const { uuid } = recordsOf(subs)[0] ?? {}
          const [was, is] = [balanceIn(before, uuid), balanceIn(after, uuid)]
          if (was === undefined || is === undefined) return undefined
          return differs(was, is) ? 'wallet' : 'collections-minus-payouts'
        },
      },
    ],
  },
  'cancelled-allocation-status': oneWay('own-transfer', thereAndBack, ([, , made, , first, list]) => {
    if (first?.status !== 200) return untold(`the cancel was answered ${first?.status}`)
    const found = recordsOf(list).find(({ requestId }) => requestId === made?.body?.data?.requestId)
    if (!found) return untold('the list of allocations does not show it')
    return found.status === 'CANCELLED' || found.status === 'SUCCESS' ? found.status : undefined
  }),
  'allocation-direction': oneWay(
    'free',
    ({ companyId }) => [
      move('de-allocations', companyId, NOBODY, FAR_ABOVE, { doom: 'unknown-organisation' }),
      listReads.subAccounts(),
    ],
    ([seen, subs]) => {
      if (seen?.status === 403 && subs?.status === 403) return untold('sub-accounts are not allowed to this account')
      return byStatus(seen, { 404: 'either', 403: 'either', 400: 'as-named' })
    },
  ),
  'allocation-callers': oneWay(
    'free',
    ({ companyId }) => {
      const asker = 'sub-account'
      const from =
        (path: string) =>
        ([subs, collections]: readonly SeenAnswer[]) => {
          const own = ownerOf(subs, collections)
          return own instanceof Untold
            ? own
            : move(path, own, companyId, FAR_ABOVE, { asker, doom: 'impossible-amount' })
        }
      return [
        listReads.subAccounts(),
        { ...listReads.bankCollections(), asker },
        from('allocations'),
        from('de-allocations'),
      ]
    },
    ([, , allocation, deAllocation]) => {
      if (allocation?.status === 400)
        return deAllocation?.status === 402
          ? untold('an allocation may not take from a sub-account, whoever asks', 'none')
          : untold('an allocation may not take from a sub-account, whoever asks')
      const told = [allocation?.status === 402, deAllocation?.status === 402]
      const refused = [allocation, deAllocation].every((one) => [402, 403, 404].includes(one?.status ?? 0))
      if (!refused) return undefined
      const byRefused: Readonly<Record<string, 'both' | 'de-allocations' | 'none'>> = {
        'true,true': 'both',
        'false,true': 'de-allocations',
        'false,false': 'none',
      }
      return byRefused[String(told)]
    },
    ['sub-account'],
  ),
} as const satisfies SomeProbes
