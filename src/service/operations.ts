import type { Operation } from '../http/operation.ts'
import { allocationOperations } from './kinds/allocations/routes.ts'
import { bankCollectionOperations } from './kinds/bank-collection/routes.ts'
import { bankPayoutOperations } from './kinds/bank-payout/routes.ts'
import { checkoutOperations } from './kinds/checkout/routes.ts'
import { paybillOperations } from './kinds/paybill/routes.ts'
import { sendMoneyOperations } from './kinds/send-money/routes.ts'
import { stkOperations } from './kinds/stk/routes.ts'
import { tillOperations } from './kinds/till/routes.ts'
import { subAccountOperations } from './operations/sub-accounts/routes.ts'
import { tanzaniaCollection, tanzaniaPayout } from './operations/tanzania/routes.ts'
import { tokenOperations } from './operations/token/routes.ts'
import { walletOperations } from './operations/wallet/routes.ts'

/** Every operation of the service, in the order of the specification. */
export const operations: Operation[] = [
  ...tokenOperations,
  ...subAccountOperations,
  ...allocationOperations,
  ...checkoutOperations,
  ...sendMoneyOperations,
  tanzaniaPayout,
  ...tillOperations,
  ...paybillOperations,
  ...bankPayoutOperations,
  ...stkOperations,
  tanzaniaCollection,
  ...bankCollectionOperations,
  ...walletOperations,
]
