import type { AssumptionId } from '../../../src/service/assumed/assumptions.ts'
import { transportProbes } from '../../../src/service/assumed/probes/transport-probes.ts'
import { testEach } from './each.ts'

testEach(Object.keys(transportProbes) as AssumptionId[])
