import { allocationOperations } from './allocations/routes.ts'
import { bankCollectionOperations } from './bank-collection/routes.ts'
import { bankPayoutOperations } from './bank-payout/routes.ts'
import { checkoutOperations } from './checkout/routes.ts'
import type { Operation } from './operation.ts'
import { paybillOperations } from './paybill/routes.ts'
import { sendMoneyOperations } from './send-money/routes.ts'
import { stkOperations } from './stk/routes.ts'
import { subAccountOperations } from './sub-accounts/routes.ts'
import { tanzaniaCollection, tanzaniaPayout } from './tanzania/routes.ts'
import { tillOperations } from './till/routes.ts'
import { tokenOperations } from './token/routes.ts'
import { walletOperations } from './wallet/routes.ts'

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
