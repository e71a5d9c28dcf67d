import { isInstant } from '../../core/lifecycle.ts'
import type { Kind } from '../../core/model/kind.ts'
import { paymentsService } from '../../service/service.ts'
import { type Choice, inOrder, paymentOf, recordOf } from './choice.ts'
import type { Planned } from './choices/choice-record.ts'

/** Customers on a page pay by themselves, because a judge's world has no people who would. */
const CUSTOMER = { pay: { after: '5s' } }

export function scenarioOf(choices: readonly Choice[], kinds: readonly string[], name = 'explored'): object {
  const settings = choices.map((one) => recordOf(one).settings?.(one) ?? {})
  const callbackFaults = settings.flatMap((one) => one.callbackFaults ?? [])
  const maintenance = settings.flatMap((one) => one.maintenance ?? [])
  const assumptions = Object.assign({}, ...settings.map((one) => one.assumptions))
  return {
    name,
    description: 'Found by exploring.',
    extends: 'default',
    rules: [
      ...rulesOf(choices),
      // Whatever number or amount an act has: what goes wrong is chosen, and not asked for.
      ...kinds.map((kind) => ordinary(paymentsService.kinds.of(kind))),
    ],
    faults: choices.flatMap((one) => recordOf(one).fault?.(one) ?? []),
    ...(maintenance.length > 0 && { rails: { maintenance } }),
    ...(callbackFaults.length > 0 && { callbacks: { faults: callbackFaults } }),
    ...(Object.keys(assumptions).length > 0 && { assumptions }),
  }
}

function ordinary(kind: Kind): object {
  return { name: `an ordinary ${kind.name}`, on: kind.name, then: thenOf(kind, { ending: ordinaryEnd(kind) }) }
}

function ordinaryEnd(kind: Kind): { after: string; end: string } {
  return { after: isInstant(kind) ? '0s' : '3s', end: kind.ends[0] }
}

function thenOf(kind: Kind, { ending, ...rest }: Planned): object {
  return { ...(kind.page && CUSTOMER), ...ending, ...rest }
}

/** One rule for each payment that something is planned for; what one choice plans, the next changes. */
function rulesOf(choices: readonly Choice[]): object[] {
  return [...Map.groupBy(choices, paymentOf)].flatMap(([payment, some]) =>
    payment === undefined ? [] : ruleOf(payment, some),
  )
}

function ruleOf(payment: string, choices: readonly Choice[]): object[] {
  const [name = '', nth] = payment.split(' ')
  const kind = paymentsService.kinds.of(name)
  const ordered = inOrder(choices)
  const before: Planned = { ending: ordinaryEnd(kind) }
  const planned = ordered.reduce((plan, one) => recordOf(one).plan?.(one, plan, kind) ?? plan, before)
  if (planned === before) return []
  const said = ordered.map((one) => ('as' in one ? `${one.do} ${one.as}` : one.do))
  return [{ name: `${payment}: ${said.join(', ')}`, on: name, when: `nth == ${nth}`, then: thenOf(kind, planned) }]
}
