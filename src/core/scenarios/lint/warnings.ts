import { recordsIn } from '../../model/faults.ts'
import { isUnsent, pluralOf, type Service, type ServiceOperation } from '../../model/kind.ts'
import { type Problem, quote, type SourcePlace } from '../../model/problems.ts'
import { faultTarget, isOff, mayPass, type ResponseFaultRule, turnOn, watches } from '../../response-faults.ts'
import type { ScenarioSettings } from '../../scenario.ts'
import type { Layer } from '../language/chain.ts'
import type { CallbackFaultRule } from '../language/planned-faults.ts'
import type { Rule } from '../language/rules.ts'
import type { Selector } from '../language/selector.ts'

/** Only a scenario's own part: overriding what it extends is what own rules are for. */
interface Warned extends Pick<Layer, 'rules' | 'callbackFaults' | 'faults' | 'written'> {
  assumptions: ScenarioSettings['assumptions']
  service: Service
}

export function findWarnings(about: Warned): Problem[] {
  const { rules, callbackFaults, faults, service } = about
  const watching = faults.map((fault) => ({
    ...fault,
    on: service.operations.filter((operation) => watches(fault, operation)).map(({ id }) => id),
    letsThrough: mayPass(fault),
  }))
  return [
    ...neverMatching(rules, { one: 'rule', does: 'decides' }),
    ...neverMatching(callbackFaults, { one: 'fault', does: 'meets' }),
    ...neverMatching(watching, { one: 'fault', does: 'meets' }),
    ...rules.flatMap((rule) => switchedOff(rule, about)),
    ...rules.flatMap((rule) => (rule.then.refuse || !rule.then.faults.callback ? [] : untold(rule, about))),
    ...callbackFaults.flatMap((fault) => untold(fault, about)),
    ...faults.flatMap((fault) => atNoOperation(fault, about)),
  ]
}

interface Selecting extends Omit<Selector, 'conditionOn'> {
  letsThrough?: boolean
}

interface Words {
  one: 'rule' | 'fault'
  does: 'decides' | 'meets'
}

/** Compares conditions as text. A rule that another one covers by its meaning is reported after a run. */
function neverMatching(list: readonly Selecting[], words: Words): Problem[] {
  const before = new Map<string, Selecting>()
  return list.flatMap((one) => {
    const condition = one.when?.trim() ?? ''
    const why = covered(one, words, (target) => before.get(`${target} `) ?? before.get(`${target} ${condition}`))
    if ((one.chance ?? 1) >= 1 && !one.nth && !one.letsThrough)
      for (const target of one.on) {
        const key = `${target} ${condition}`
        if (!before.has(key)) before.set(key, one)
      }
    return why === undefined ? [] : [warning(one, `${quote(one.name)} never ${words.does} ${why}`)]
  })
}

function covered(
  late: Selecting,
  { one, does }: Words,
  coverOf: (target: string) => Selecting | undefined,
): string | undefined {
  const covers = late.on.flatMap((target) => {
    const by = coverOf(target)
    return by ? [{ target, by }] : []
  })
  const [first] = covers
  if (!first) return undefined
  const by = `the ${one} ${quote(first.by.name)} on line ${first.by.line} ${does} all of them before it`
  if (covers.length === late.on.length) return `anything: ${by}. Move it up, or remove one of the two.`
  const targets = covers.map(({ target }) => target).join(', ')
  return `${targets}: ${by}. Take ${covers.length === 1 ? 'it' : 'them'} out of "on", or move the ${one} up.`
}

function switchedOff(rule: Rule, { written, service, assumptions }: Warned): Problem[] {
  const off = service.operations.filter(
    ({ opens, ...one }) => opens && rule.on.includes(opens) && isOff(one, assumptions),
  )
  const [first] = off
  // A scenario that extends nothing is a base: those that extend it may turn on assumptions that are off here.
  if (written.extends === 'none' || !first || off.length < rule.on.length) return []
  return [warning(rule, `${quote(rule.name)} never decides anything: ${turnOn(first)}`)]
}

function atNoOperation(fault: ResponseFaultRule, { service, assumptions }: Warned): Problem[] {
  const named = service.operations.filter((operation) => !fault.on.includes('*') && watches(fault, operation))
  const never = (operation: ServiceOperation, why: string) =>
    warning(fault, `${quote(fault.name)} never meets ${faultTarget(operation)}: ${why}`)
  return named.flatMap((operation) => {
    if (isOff(operation, assumptions)) return [never(operation, turnOn(operation))]
    if (operation.auth === 'none' && recordsIn(fault.then).some(({ record }) => record.needsToken))
      return [never(operation, 'nobody brings a token to it. Name another operation, or *.')]
    return []
  })
}

function untold(one: Rule | CallbackFaultRule, { assumptions, service }: Warned): Problem[] {
  const about = one.on.map((name) => service.kinds.of(name))
  if (about.some(({ callback }) => !callback || !isUnsent(callback, assumptions))) return []
  const [unless] = about.flatMap(({ callback }) => callback?.unless ?? [])
  if (!unless) return []
  const otherwise = service.assumptions[unless.assumption]?.alternatives.find((one) => one !== unless.is)
  const message = `${quote(one.name)} is about callbacks of ${pluralOf(about)}, and none are sent here. Turn them on: assumptions: { ${unless.assumption}: ${otherwise} }.`
  return [warning(one, message)]
}

function warning({ file, line, column, path }: SourcePlace, message: string): Problem {
  return { file, line, column, path, message }
}
