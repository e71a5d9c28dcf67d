import { testProbes } from './probe.ts'
import { tokenProbes } from './tokens.ts'

testProbes(tokenProbes)
