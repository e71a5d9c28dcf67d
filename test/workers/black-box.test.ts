import { describe } from 'vitest'
import { onWorkers } from './on-workers.ts'

// What is tested of the service, the control plane and the pages in a Node process, asked of Durable Objects. Every CI
// run asks some of it; `npm run test:workers` asks all that needs nothing of this process.

const SOME = ['service/send-money', 'pages/checkout-page']
const ALL = [
  ...SOME,
  'callbacks/trace-context',
  'control/admission',
  'control/control-contract',
  'control/control-plane',
  'control/head',
  'control/reason-of-end',
  'control/search',
  'pages/card',
  'pages/dashboard/overview',
  'pages/dashboard/payments',
  'pages/dashboard/worlds',
  'pages/docs',
  'pages/handset',
  'pages/live',
  'pages/paying',
  'service/allocations',
  'service/assumptions',
  'service/bad-input',
  'service/bank-collection',
  'service/bank-payout',
  'service/check-order',
  'service/checkout',
  'service/digit-ranges',
  'service/head',
  'service/many-problems',
  'service/operations',
  'service/organisations',
  'service/paybill',
  'service/rule-header',
  'service/stk',
  'service/tanzania',
  'service/till',
  'service/timestamps',
  'service/transport',
  'service/sub-accounts',
  'service/tokens',
  'service/validation',
  'service/wallet',
]

describe.each(process.env['MODE'] === 'workers' ? ALL : SOME)('%s', onWorkers)
