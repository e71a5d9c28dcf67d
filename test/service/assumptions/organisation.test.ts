import type { AssumptionId } from '../../../src/service/assumed/assumptions.ts'
import { organisationProbes } from '../../../src/service/assumed/probes/organisation-probes.ts'
import { testEach } from './each.ts'

testEach(Object.keys(organisationProbes) as AssumptionId[])
