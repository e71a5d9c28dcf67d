/** Answers how to fund a wallet. */
import * as z from 'zod'
import { float } from '../../core/model/json.ts'
import type { Organisation } from '../../core/model/payment.ts'
import { operation } from '../../http/operation.ts'
import { enveloped } from '../declared/operations.ts'
import { closedObject, known, publishedEnvelope, usual } from '../fields.ts'

// The answer about a wallet.

const line = (description: string) => known('published', description, z.string())
/** Invented names, the same for everybody, so that no real provider is named. */
const fixed = (description: string, value: string) => usual(line(description), value, 'published')
const reference = line("The caller's uniqueReference, by which incoming money is matched to the wallet.")
const account = usual(line("A fixed five-digit prefix and the caller's uniqueReference."), '99000…', 'published')

const walletDetailsAnswer = publishedEnvelope(
  200,
  'SUCCESS',
  closedObject(() => ({
    pesalinkDetails: closedObject(() => ({
      accountNumber: account,
      accountName: fixed('Whose account it is.', 'Provider Ltd'),
      beneficiaryBank: fixed('At which bank.', 'Example Bank'),
      remarks: reference,
    })).meta({ description: 'By PesaLink.', 'x-basis': 'published' }),
    bankDetails: closedObject(() => ({
      beneficiaryName: fixed('Whose account it is.', 'Provider Ltd'),
      beneficiaryBank: fixed('At which bank.', 'Example Bank'),
      beneficiaryBranch: fixed('At which branch.', 'EXAMPLE BRANCH'),
      swiftCode: fixed('SWIFT code of the bank.', 'EXMPKENA'),
      beneficiaryAccount: account,
      remarks: reference,
    })).meta({ description: 'By bank transfer.', 'x-basis': 'published' }),
    paybillDetails: closedObject(() => ({
      paybillNumber: fixed('The paybill to pay to.', '9990001'),
      accountNumber: reference,
    })).meta({ description: 'By paybill.', 'x-basis': 'published' }),
  })).meta({ id: 'WalletDetails', 'x-basis': 'published' }),
)

const walletDetails = operation({
  id: 'getWalletDetails',
  method: 'post',
  path: '/api/sandbox/v1/org/wallet-details',
  tag: 'Wallet',
  summary: "Read how to fund the caller's wallet",
  basis: 'published',
  source: 'published wallet/wallet_load_details (unlisted)',
  auth: 'bearer',
  only: { assumption: 'unlisted-operations', is: 'on' },
  answer: { status: 200, description: 'Accounts and references', schema: walletDetailsAnswer },
  handle: ({ caller }) => enveloped(200, 'SUCCESS', fundingDetails(caller)),
})

export const walletRoutes = [walletDetails]

// The record of a wallet.

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
function fundingDetails({ uniqueReference }: Organisation) {
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
