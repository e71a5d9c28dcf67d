/** The simulated service, made of its kinds of payment and other operations. Passed to the core and the HTTP road. */
import { must } from '../core/model/must.ts'
import type { Operation } from '../http/operation.ts'
import { serviceOf } from './contract/service-of.ts'
import type { ServedKind } from './declared/payment-kind.ts'
import { accountVerification } from './kinds/account-verification/account-verification.ts'
import { allocation } from './kinds/allocation/allocation.ts'
import { bankCollection } from './kinds/bank-collection/bank-collection.ts'
import { bankPayout } from './kinds/bank-payout/bank-payout.ts'
import { checkout } from './kinds/checkout/checkout.ts'
import { deAllocation } from './kinds/de-allocation/de-allocation.ts'
import { paybill } from './kinds/paybill/paybill.ts'
import { sendMoney } from './kinds/send-money/send-money.ts'
import { stk } from './kinds/stk/stk.ts'
import { till } from './kinds/till/till.ts'
import { subAccountOperations } from './operations/sub-accounts/routes.ts'
import { tanzaniaCollection, tanzaniaPayout } from './operations/tanzania/routes.ts'
import { tokenOperations } from './operations/token/routes.ts'
import { walletRoutes } from './operations/wallet/routes.ts'

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
