/** What the operation of a wallet answers. */
import { z } from 'zod'
import { envelope, known } from '../../fields.ts'

const line = (description: string) => known('published', description, z.string())
const reference = line("The caller's uniqueReference, by which incoming money is matched to the wallet.")
const account = line("A fixed five-digit prefix and the caller's uniqueReference.")

export const walletDetailsAnswer = envelope(
  200,
  'SUCCESS',
  z
    .strictObject({
      pesalinkDetails: z
        .strictObject({
          accountNumber: account,
          accountName: line('Whose account it is.'),
          beneficiaryBank: line('At which bank.'),
          remarks: reference,
        })
        .meta({ description: 'By PesaLink.', 'x-basis': 'published' }),
      bankDetails: z
        .strictObject({
          beneficiaryName: line('Whose account it is.'),
          beneficiaryBank: line('At which bank.'),
          beneficiaryBranch: line('At which branch.'),
          swiftCode: line('Of the bank.'),
          beneficiaryAccount: account,
          remarks: reference,
        })
        .meta({ description: 'By bank transfer.', 'x-basis': 'published' }),
      paybillDetails: z
        .strictObject({ paybillNumber: line('The paybill to pay to.'), accountNumber: reference })
        .meta({ description: 'By paybill.', 'x-basis': 'published' }),
    })
    .meta({ id: 'WalletDetails', 'x-basis': 'published' }),
)
