import type { AssumptionId } from '../../../src/service/assumed/assumptions.ts'
import { walletProbes } from '../../../src/service/assumed/probes/wallet-probes.ts'
import { testEach } from './each.ts'

testEach(Object.keys(walletProbes) as AssumptionId[])
