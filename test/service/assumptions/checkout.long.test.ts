import type { AssumptionId } from '../../../src/service/assumed/assumptions.ts'
import { checkoutProbes } from '../../../src/service/assumed/probes/checkout-probes.ts'
import { testEach } from './each.ts'

testEach(Object.keys(checkoutProbes) as AssumptionId[])
