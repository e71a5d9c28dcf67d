/** The answer about a wallet. */
import * as z from 'zod'
import { closedObject } from '../../declared/lazy-objects.ts'
import { known, publishedEnvelope, usual } from '../../fields.ts'

const line = (description: string) => known('published', description, z.string())
/** Invented names, the same for everybody, so that no real provider is named. */
const fixed = (description: string, value: string) => usual(line(description), value, 'published')
const reference = line("The caller's uniqueReference, by which incoming money is matched to the wallet.")
const account = usual(line("A fixed five-digit prefix and the caller's uniqueReference."), '99000…', 'published')

export const walletDetailsAnswer = publishedEnvelope(
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
      swiftCode: fixed('Of the bank.', 'EXMPKENA'),
      beneficiaryAccount: account,
      remarks: reference,
    })).meta({ description: 'By bank transfer.', 'x-basis': 'published' }),
    paybillDetails: closedObject(() => ({
      paybillNumber: fixed('The paybill to pay to.', '9990001'),
      accountNumber: reference,
    })).meta({ description: 'By paybill.', 'x-basis': 'published' }),
  })).meta({ id: 'WalletDetails', 'x-basis': 'published' }),
)
