import type { AssumptionId } from '../../../src/service/assumed/assumptions.ts'
import { errorProbes } from '../../../src/service/assumed/probes/error-probes.ts'
import { testEach } from './each.ts'

testEach(Object.keys(errorProbes) as AssumptionId[])
