import type { AssumptionId } from '../../../src/service/assumed/assumptions.ts'
import { timeProbes } from '../../../src/service/assumed/probes/time-probes.ts'
import { testEach } from './each.ts'

testEach(Object.keys(timeProbes) as AssumptionId[])
