import { testProbes } from './probe.ts'
import { requestProbes } from './requests.ts'

testProbes(requestProbes)
