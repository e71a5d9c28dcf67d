import type { AssumptionId } from '../../../src/service/assumed/assumptions.ts'
import { bodyProbes } from '../../../src/service/assumed/probes/body-probes.ts'
import { testEach } from './each.ts'

testEach(Object.keys(bodyProbes) as AssumptionId[])
