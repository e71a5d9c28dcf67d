/** The scenario as it was when it decided a payment. */
import type { Payment } from '../model/payment.ts'
import { type ScenarioVersion, scenarioVersionOf } from '../scenarios/decide/scenario-version.ts'
import type { Core } from './core.ts'

/** The rules that decided a payment, whatever scenario has taken their place since. */
export function decidingVersion({ scenario, store }: Core, { plan }: Pick<Payment, 'plan'>): ScenarioVersion {
  return store.meta.get(`edition:${plan.edition ?? 0}`) ?? scenarioVersionOf(scenario)
}
