import { paymentProbes } from './payments.ts'
import { testProbes } from './probe.ts'

testProbes(paymentProbes)
