import type { AssumptionId } from '../../../src/service/assumed/assumptions.ts'
import { recordProbes } from '../../../src/service/assumed/probes/record-probes.ts'
import { testEach } from './each.ts'

testEach(Object.keys(recordProbes) as AssumptionId[])
