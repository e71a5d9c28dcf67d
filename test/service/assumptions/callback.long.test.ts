import type { AssumptionId } from '../../../src/service/assumed/assumptions.ts'
import { callbackProbes } from '../../../src/service/assumed/probes/callback-probes.ts'
import { testEach } from './each.ts'

testEach(Object.keys(callbackProbes) as AssumptionId[])
