import type { AssumptionId } from '../../../src/service/assumed/assumptions.ts'
import { callbackProbes } from './callbacks.ts'
import { paymentProbes } from './payments.ts'
import type { Probed } from './probe.ts'
import { publishedProbes } from './published.ts'
import { requestProbes } from './requests.ts'
import { tokenProbes } from './tokens.ts'
import { transportProbes } from './transport.ts'

/** A probe for every assumption: a new one without does not compile. */
export const allProbes = {
  ...publishedProbes,
  ...requestProbes,
  ...paymentProbes,
  ...tokenProbes,
  ...transportProbes,
  ...callbackProbes,
} as const satisfies { readonly [Id in AssumptionId]: Probed }
