/** Warns of rules, faults and settings that have no effect. */
import type { Assumptions } from '../../model/assumption.ts'
import { isUnsent, pluralOf } from '../../model/kind.ts'
import type { Libraries } from '../../model/libraries.ts'
import { type Problem, quote, type SourcePlace } from '../../model/problems.ts'
import { recordsIn } from '../../model/response-fault-records.ts'
import { openingOf, type Service, type ServiceOperation } from '../../model/simulated-service.ts'
import { faultTarget, isOff, mayPass, type ResponseFaultRule, turnOn, watches } from '../../response-faults.ts'
import type { ClockSetting } from '../../scenario-settings.ts'
import type { SourceText } from '../../source-text.ts'
import type { ListedEntry } from '../decide/build-directory.ts'
import type { CallbackFaultRule } from '../language/callback-faults.ts'
import type { Maintenance } from '../language/rails.ts'
import type { Rule } from '../language/rules.ts'
import { printTurn, type Selector } from '../language/selector.ts'
import { type Formula, formulaOf, Reasoner } from './implication.ts'
import { refusedFirst } from './refused-first.ts'

/** Only a scenario's own part: overriding what it extends is what own rules are for. */
export interface Warned {
  /** Extends nothing, so a scenario that extends it may turn on what is off here. */
  base: boolean
  rules: readonly Rule[]
  callbackFaults: readonly CallbackFaultRule[]
  faults: readonly ResponseFaultRule[]
  maintenance: readonly Maintenance[]
  clock: ClockSetting
  assumptions: Assumptions
  service: Service
  libraries: Libraries
}

export function findWarnings(about: Warned): Problem[] {
  const { rules, callbackFaults, faults, service, libraries } = about
  const reasoner = new Reasoner()
  const watching = faults.map((fault) => ({
    ...fault,
    on: service.operations.filter((operation) => watches(fault, operation)).map(({ id }) => id),
    letsThrough: mayPass(fault),
  }))
  return [
    ...neverMatching(rules, { one: 'rule', does: 'decides' }, reasoner, libraries),
    ...neverMatching(callbackFaults, { one: 'fault', does: 'meets' }, reasoner, libraries),
    ...neverMatching(watching, { one: 'fault', does: 'meets' }, reasoner, libraries),
    ...rules.flatMap((rule) => switchedOff(rule, about)),
    ...rules.flatMap((rule) => neverReached(rule, about)),
    ...rules.flatMap((rule) => {
      const asks = refusedFirst(rule, about, reasoner)
      if (asks === undefined) return []
      const message = `${quote(rule.name)} never decides anything: the service refuses such a request itself: ${asks}. Mend the condition, or remove the rule.`
      return [warning(rule, message)]
    }),
    ...rules.filter(({ then }) => !then.refuse && then.faults.callback).flatMap((rule) => untold(rule, about)),
    ...callbackFaults.flatMap((fault) => untold(fault, about)),
    ...faults.flatMap((fault) => atNoOperation(fault, about)),
    ...about.maintenance.flatMap((one) => over(one, about.clock)),
  ]
}

interface Selecting extends Omit<Selector, 'conditionOn'> {
  letsThrough?: boolean
}
type Weighed = Selecting & { formula: Formula }

interface Words {
  one: 'rule' | 'fault'
  does: 'decides' | 'meets'
}

function neverMatching(list: readonly Selecting[], words: Words, reasoner: Reasoner, libraries: Libraries): Problem[] {
  const before = new Covers(reasoner)
  return list.flatMap((selecting) => {
    const one = { ...selecting, formula: formulaOf(selecting.when ?? 'true', libraries) }
    const why = impossible(one, words, reasoner) ?? covered(one, before, words)
    before.add(one)
    return why === undefined ? [] : [warning(one, `${quote(one.name)} never ${words.does} ${why}`)]
  })
}

/** Conditions that a parameter turns off were meant to be off. */
function impossible(one: Weighed, words: Words, reasoner: Reasoner): string | undefined {
  const { chance, nth, when, turned, formula } = one
  if (chance === 0 && !turned.includes('chance'))
    return `anything: its chance is 0. Raise it, or remove the ${words.one}.`
  if (when === undefined || turned.includes('when')) return undefined
  if (reasoner.neverHolds(formula))
    return `anything: ${quote(when)} is never true. Mend it, or remove the ${words.one}.`
  // When a rule refuses a payment, its number goes to the next one.
  const numbers = words.one === 'fault' && one.on.length === 1 ? reasoner.valuesOf('nth', formula) : undefined
  if (numbers && nth && 'only' in nth && nth.only > numbers.length)
    return `anything: it waits for ${printTurn(nth)} match, and its condition names ${numbers.length === 1 ? 'only one number' : `only ${numbers.length} numbers`} (nth).`
  return undefined
}

function covered(late: Weighed, before: Covers, { one, does }: Words): string | undefined {
  const covers = late.on.flatMap((target) => {
    const by = before.find(late, target)
    return by ? [{ target, by }] : []
  })
  const [first] = covers
  if (!first) return undefined
  const by = `the ${one} ${quote(first.by.name)} on line ${first.by.line} ${does} all of them before it`
  if (covers.length === late.on.length) return `anything: ${by}. Move it up, or remove one of the two.`
  const targets = covers.map(({ target }) => target).join(', ')
  return `${targets}: ${by}. Take ${covers.length === 1 ? 'it' : 'them'} out of "on", or move the ${one} up.`
}

class Covers {
  readonly #reasoner: Reasoner
  readonly #byTarget = new Map<string, { same: Map<string, Weighed>; all: Weighed[] }>()

  constructor(reasoner: Reasoner) {
    this.#reasoner = reasoner
  }

  add(one: Weighed): void {
    if ((one.chance ?? 1) < 1 || one.nth || one.letsThrough) return
    for (const target of one.on) {
      const known = this.#byTarget.get(target) ?? { same: new Map<string, Weighed>(), all: [] }
      this.#byTarget.set(target, known)
      const text = (one.when ?? 'true').trim()
      if (known.same.has(text)) continue
      known.same.set(text, one)
      known.all.push(one)
    }
  }

  find({ when = 'true', formula }: Weighed, target: string): Weighed | undefined {
    const known = this.#byTarget.get(target)
    return (
      known?.same.get('true') ??
      known?.same.get(when.trim()) ??
      known?.all.find((other) => this.#reasoner.implies(formula, other.formula))
    )
  }
}

function switchedOff(rule: Rule, { base, service, assumptions }: Warned): Problem[] {
  const off = service.operations.filter(
    ({ opens, ...one }) => opens && rule.on.includes(opens) && isOff(one, assumptions),
  )
  const [first] = off
  if (base || !first || off.length < rule.on.length) return []
  return [warning(rule, `${quote(rule.name)} never decides anything: ${turnOn(first)}`)]
}

/** Requests of these kinds are always refused by a fault. Customers who pay in make no request. */
function neverReached(rule: Rule, { faults, service }: Warned): Problem[] {
  const always = faults.filter(
    ({ when, chance, nth, after, then }) =>
      when === undefined &&
      (chance ?? 1) >= 1 &&
      !nth &&
      !after &&
      recordsIn(then).some(({ record }) => record.way === 'answer'),
  )
  const turnedAway = rule.on.map((kind) => {
    // Customers who can be asked on the phone may also pay on their own.
    const byThemselves = service.kinds.of(kind).prompt && !service.kinds.of(kind).page
    const operation = byThemselves ? undefined : openingOf(service, kind)
    return operation && always.find((fault) => watches(fault, operation))
  })
  const [first] = turnedAway
  if (!first || turnedAway.includes(undefined)) return []
  const message = `${quote(rule.name)} never decides anything: the fault ${quote(first.name)} on line ${first.line} turns every such request away. Give the fault a condition, or remove the rule.`
  return [warning(rule, message)]
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

function over(one: Maintenance, { startUs }: ClockSetting): Problem[] {
  if (!('toUs' in one.window) || startUs === null || one.window.toUs > startUs) return []
  const place = { ...one, column: 1, path: one.place }
  return [warning(place, `${quote(one.name)} never comes: it is over before the world begins (clock.start).`)]
}

export function repeatedEntries(listed: ListedEntry, source: SourceText): Problem[] {
  const repeated = <T>(list: readonly T[], key: keyof ListedEntry, nameOf: (one: T) => string) => {
    const seen = new Map<string, number>()
    return list.flatMap((one, i) => {
      const place = source.placeOf(['directory', key, i])
      const first = seen.get(nameOf(one))
      if (first === undefined) seen.set(nameOf(one), place.line)
      return first === undefined
        ? []
        : [warning(place, `${nameOf(one)} is listed on line ${first} already, which counts. Remove one of the two.`)]
    })
  }
  return [
    ...repeated(listed.subscribers, 'subscribers', ({ phone }) => phone),
    ...repeated(listed.cards, 'cards', ({ number }) => number),
    ...repeated(listed.bankAccounts, 'bankAccounts', ({ bankCode, account }) => `${account} at bank ${bankCode}`),
    ...repeated(listed.businesses, 'businesses', ({ number }) => number),
    ...repeated(listed.cards, 'cards', ({ number }) => number),
  ]
}

function warning({ file, line, column, path }: SourcePlace, message: string): Problem {
  return { file, line, column, path, message }
}
