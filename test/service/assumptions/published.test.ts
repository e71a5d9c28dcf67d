import { testProbes } from './probe.ts'
import { publishedProbes } from './published.ts'

testProbes(publishedProbes)
