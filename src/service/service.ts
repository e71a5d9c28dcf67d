import { must } from '../core/model/must.ts'
import type { Operation } from '../http/operation.ts'
import { serviceOf } from './contract/service-of.ts'
import type { ServedKind } from './declared/payment-kind.ts'
import { accountVerification } from './kinds/account-verification.ts'
import { allocation, deAllocation } from './kinds/allocation.ts'
import { bankCollection } from './kinds/bank-collection.ts'
import { bankPayout } from './kinds/bank-payout.ts'
import { checkout } from './kinds/checkout.ts'
import { sendMoney } from './kinds/send-money.ts'
import { paybill, till } from './kinds/short-code.ts'
import { stk } from './kinds/stk.ts'
import { subAccountOperations } from './operations/sub-accounts.ts'
import { tanzaniaCollection, tanzaniaPayout } from './operations/tanzania.ts'
import { tokenOperations } from './operations/token.ts'
import { walletRoutes } from './operations/wallet.ts'

export const kinds: readonly ServedKind[] = [
  sendMoney,
  till,
  paybill,
  bankPayout,
  accountVerification,
  stk,
  bankCollection,
  checkout,
  allocation,
  deAllocation,
]

const [allocate, cancel, ...allocationLists] = allocation.operations
const [deAllocate, ...deAllocationLists] = deAllocation.operations

export const contract: readonly Operation[] = [
  ...tokenOperations,
  ...subAccountOperations,
  must(allocate),
  must(deAllocate),
  must(cancel),
  ...allocationLists,
  ...deAllocationLists,
  ...checkout.operations,
  ...sendMoney.operations,
  tanzaniaPayout,
  ...till.operations,
  ...paybill.operations,
  ...bankPayout.operations,
  ...accountVerification.operations,
  ...stk.operations,
  tanzaniaCollection,
  ...bankCollection.operations,
  ...walletRoutes,
]

export const paymentsService = serviceOf({ kinds, contract })
