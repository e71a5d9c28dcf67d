import type { Organisation } from '../../core/model/payment.ts'
import { operation } from '../../http/operation.ts'
import { enveloped } from '../declarations/lookups.ts'
import { field, form, type Of, type PartFields, part, shared } from '../declarations/record.ts'
import { envelope } from '../fields.ts'

// Published, unlisted. Names are invented, the same for everybody, so that no real provider is named.

const fixed = (description: string, value: string) =>
  field<Of<Organisation>>(description, { ...form.text, usual: 'published' }, value)
const reference = field<Of<Organisation>>(
  "The caller's uniqueReference, by which incoming money is matched to the wallet.",
  form.text,
  ({ of }) => of.uniqueReference,
)
const account = field<Of<Organisation>>(
  "A fixed five-digit prefix and the caller's uniqueReference.",
  { ...form.text, usual: ['99000…', 'published'] },
  ({ of }) => `99000${of.uniqueReference}`,
)

function way(description: string, fields: PartFields<Organisation>) {
  const { schema, show } = part<Organisation>(null, 'published', fields)
  return shared<Of<Organisation>>(schema.meta({ description, 'x-basis': 'published' }), ({ view, of }) =>
    show(view, of),
  )
}

const fundingDetails = part<Organisation>('WalletDetails', 'published', {
  pesalinkDetails: way('By PesaLink.', {
    accountNumber: account,
    accountName: fixed('Whose account it is.', 'Provider Ltd'),
    beneficiaryBank: fixed('At which bank.', 'Example Bank'),
    remarks: reference,
  }),
  bankDetails: way('By bank transfer.', {
    beneficiaryName: fixed('Whose account it is.', 'Provider Ltd'),
    beneficiaryBank: fixed('At which bank.', 'Example Bank'),
    beneficiaryBranch: fixed('At which branch.', 'EXAMPLE BRANCH'),
    swiftCode: fixed('SWIFT code of the bank.', 'EXMPKENA'),
    beneficiaryAccount: account,
    remarks: reference,
  }),
  paybillDetails: way('By paybill.', {
    paybillNumber: fixed('The paybill to pay to.', '9990001'),
    accountNumber: reference,
  }),
})

const walletDetails = operation({
  id: 'getWalletDetails',
  method: 'post',
  path: '/api/sandbox/v1/org/wallet-details',
  tag: 'Wallet',
  summary: "Read how to fund the caller's wallet",
  source: 'published wallet/wallet_load_details (unlisted)',
  only: { assumption: 'unlisted-operations', is: 'on' },
  answer: envelope(200, 'Accounts and references', 'SUCCESS', fundingDetails.schema, 'published'),
  handle: ({ core, caller }) => enveloped(200, 'SUCCESS', fundingDetails.show(core, caller)),
})

export const walletRoutes = [walletDetails]
