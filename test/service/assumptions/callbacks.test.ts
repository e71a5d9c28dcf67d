import { callbackProbes } from './callbacks.ts'
import { testProbes } from './probe.ts'

testProbes(callbackProbes)
