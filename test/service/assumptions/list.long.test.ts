import type { AssumptionId } from '../../../src/service/assumed/assumptions.ts'
import { listProbes } from '../../../src/service/assumed/probes/list-probes.ts'
import { testEach } from './each.ts'

testEach(Object.keys(listProbes) as AssumptionId[])
