/** The record of a wallet. */
import type { Organisation } from '../../../core/model/payment.ts'
import { float } from '../../../core/model/wire.ts'

/** In minor units of KES. */
export interface Totals {
  transactions: number
  stkCollection: number
  paybill: number
  netBalance: number
  paybillCollection: number
  collections: number
  till: number
  sendMoney: number
}

/** Published. */
export function breakdownEntry(organisation: Organisation, totals: Totals) {
  return {
    totalTransactions: float(totals.transactions),
    totalStkCollection: float(totals.stkCollection),
    totalPaybill: float(totals.paybill),
    netBalance: float(totals.netBalance),
    totalPaybillCollection: float(totals.paybillCollection),
    totalCollections: float(totals.collections),
    totalTill: float(totals.till),
    organisationUuid: organisation.uuid,
    totalSendMoney: float(totals.sendMoney),
  }
}

/** Published, unlisted; the names are placeholders. */
export function fundingDetails({ uniqueReference }: Organisation) {
  const accountNumber = `99000${uniqueReference}`
  return {
    pesalinkDetails: {
      accountNumber,
      accountName: 'Provider Ltd',
      beneficiaryBank: 'Example Bank',
      remarks: uniqueReference,
    },
    bankDetails: {
      beneficiaryName: 'Provider Ltd',
      beneficiaryBank: 'Example Bank',
      beneficiaryBranch: 'EXAMPLE BRANCH',
      swiftCode: 'EXMPKENA',
      beneficiaryAccount: accountNumber,
      remarks: uniqueReference,
    },
    paybillDetails: { paybillNumber: '9990001', accountNumber: uniqueReference },
  }
}
