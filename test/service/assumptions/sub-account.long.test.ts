import type { AssumptionId } from '../../../src/service/assumed/assumptions.ts'
import { subAccountProbes } from '../../../src/service/assumed/probes/sub-account-probes.ts'
import { testEach } from './each.ts'

testEach(Object.keys(subAccountProbes) as AssumptionId[])
