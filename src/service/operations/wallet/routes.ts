/** Answers how to fund a wallet. */
import { operation } from '../../../http/operation.ts'
import { enveloped } from '../../declared/answers.ts'
import { fundingDetails } from './record.ts'
import { walletDetailsAnswer } from './schema.ts'

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
