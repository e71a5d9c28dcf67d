import { testProbes } from './probe.ts'
import { transportProbes } from './transport.ts'

testProbes(transportProbes)
