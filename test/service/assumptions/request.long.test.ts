import type { AssumptionId } from '../../../src/service/assumed/assumptions.ts'
import { requestProbes } from '../../../src/service/assumed/probes/request-probes.ts'
import { testEach } from './each.ts'

testEach(Object.keys(requestProbes) as AssumptionId[])
