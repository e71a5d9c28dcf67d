import type { AssumptionId } from '../../../src/service/assumed/assumptions.ts'
import { paymentProbes } from '../../../src/service/assumed/probes/payment-probes.ts'
import { testEach } from './each.ts'

testEach(Object.keys(paymentProbes) as AssumptionId[])
