import { faultsWritten } from '../model/faults.ts'
import { isUnsent, pluralOf, type Service, type ServiceOperation } from '../model/kind.ts'
import { type Path, type Problem, problemAt, quote } from '../model/problems.ts'
import { counted } from '../model/text.ts'
import { parseDuration } from '../model/time.ts'
import { faultTarget, isOff, mayPass, type ResponseFaultRule, turnOn, watches } from '../response-faults.ts'
import type { ScenarioSettings } from '../scenario.ts'
import type { Layer } from './keys/chain.ts'
import { type DirectoryEntry, entryName } from './keys/effective.ts'
import type { CallbackFaultRule } from './keys/planned-faults.ts'
import type { Rule } from './keys/rules.ts'
import type { Selector } from './keys/selector.ts'

/** Only a scenario's own part: overriding what it extends is what own rules are for. */
interface Warned extends Omit<Layer, 'rails'>, Pick<ScenarioSettings, 'clock' | 'callbacks' | 'assumptions'> {
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
    ...repeatedEntries(about),
    ...idleSettings(about),
    ...neverMatching(rules, 'rule', 'decides'),
    ...neverMatching(callbackFaults, 'fault', 'meets'),
    ...neverMatching(watching, 'fault', 'meets'),
    ...rules.flatMap((rule) => switchedOff(rule, about)),
    ...rules.flatMap((rule) => (rule.then.callback ? untold(rule, about) : [])),
    ...callbackFaults.flatMap((fault) => untold(fault, about)),
    ...faults.flatMap((fault) => atNoOperation(fault, about)),
  ]
}

interface Selecting extends Omit<Selector, 'conditionOn'> {
  letsThrough?: boolean
}

/** Compares conditions as text. A rule that another one covers by its meaning is reported after a run. */
function neverMatching(list: readonly Selecting[], noun: string, does: string): Problem[] {
  const before = new Map<string, Selecting>()
  return list.flatMap((one) => {
    const condition = one.when?.trim() ?? ''
    const why = covered(one, noun, does, (target) => before.get(`${target} `) ?? before.get(`${target} ${condition}`))
    if ((one.chance ?? 1) >= 1 && !one.nth && !one.letsThrough)
      for (const target of one.on) {
        const key = `${target} ${condition}`
        if (!before.has(key)) before.set(key, one)
      }
    return why === undefined ? [] : [problemAt(one, `${quote(one.name)} never ${does} ${why}`)]
  })
}

function covered(
  late: Selecting,
  noun: string,
  does: string,
  coverOf: (target: string) => Selecting | undefined,
): string | undefined {
  const covers = late.on.flatMap((target) => {
    const by = coverOf(target)
    return by ? [{ target, by }] : []
  })
  const [first] = covers
  if (!first) return undefined
  const by = `the ${noun} ${quote(first.by.name)} on line ${first.by.line} ${does} all of them before it`
  if (covers.length === late.on.length) return `anything: ${by}. Move it up, or remove one of the two.`
  const targets = covers.map(({ target }) => target).join(', ')
  return `${targets}: ${by}. Take ${covers.length === 1 ? 'it' : 'them'} out of "on", or move the ${noun} up.`
}

function switchedOff(rule: Rule, { written, service, assumptions }: Warned): Problem[] {
  const off = service.operations.filter(
    ({ opens, ...one }) => opens && rule.on.includes(opens) && isOff(one, assumptions),
  )
  const [first] = off
  // A scenario that extends nothing is a base: those that extend it may turn on assumptions that are off here.
  if (written.extends === 'none' || !first || off.length < rule.on.length) return []
  return [problemAt(rule, `${quote(rule.name)} never decides anything: ${turnOn(first)}`)]
}

function atNoOperation(fault: ResponseFaultRule, { service, assumptions }: Warned): Problem[] {
  const named = service.operations.filter((operation) => !fault.on.includes('*') && watches(fault, operation))
  const never = (operation: ServiceOperation, why: string) =>
    problemAt(fault, `${quote(fault.name)} never meets ${faultTarget(operation)}: ${why}`)
  return named.flatMap((operation) => {
    if (isOff(operation, assumptions)) return [never(operation, turnOn(operation))]
    if (operation.auth === 'none' && faultsWritten(fault.then).some(({ record }) => record.needsToken))
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
  return [problemAt(one, message)]
}

function idleSettings({ written, source, service, ...inForce }: Warned): Problem[] {
  const { clock, callbacks, faults = [], rules = [], directory } = written
  const { attempts } = inForce.callbacks
  const waits = callbacks?.retry?.backoff?.length ?? 0
  const at = (path: Path, isIdle: boolean, message: string) =>
    isIdle ? [problemAt(source.placeOf(path), message)] : []
  const noDelay = (delay: unknown, path: Path) =>
    at(path, typeof delay === 'string' && parseDuration(delay) === 0, `${path.at(-1)}: 0s has no effect. Remove it.`)
  return [
    ...at(
      ['clock', 'rate'],
      clock?.rate !== undefined && inForce.clock.mode !== 'scaled',
      `rate has no effect: the clock is ${inForce.clock.mode}. Write mode: scaled.`,
    ),
    ...at(
      ['callbacks', 'signatureTime'],
      callbacks?.signatureTime !== undefined && inForce.assumptions['callback-signature'] === 'none',
      'signatureTime has no effect: callbacks are not signed here. Turn it on: assumptions: { callback-signature: standard-webhooks }.',
    ),
    ...at(
      ['callbacks', 'retry', 'backoff'],
      waits > attempts - 1,
      `backoff has ${counted(waits, 'wait')}, and ${counted(attempts, 'attempt')} in all use ${attempts - 1}. Raise attempts, or remove what is too much.`,
    ),
    ...faults.flatMap(({ then }, i) => noDelay(then?.latency, ['faults', i, 'then', 'latency'])),
    ...(callbacks?.faults ?? []).flatMap(({ then }, i) =>
      noDelay(then?.delay, ['callbacks', 'faults', i, 'then', 'delay']),
    ),
    ...rules.flatMap(({ then }, i) => noDelay(then.callback?.delay, ['rules', i, 'then', 'callback', 'delay'])),
    ...(directory?.subscribers ?? []).flatMap(({ phone }, i) =>
      at(
        ['directory', 'subscribers', i, 'phone'],
        service.countries.typedPhone(phone) === undefined,
        `No payment reaches ${quote(phone)}: no country has such a number. Write one such as 254712345678.`,
      ),
    ),
    ...(directory?.bankAccounts ?? []).flatMap(({ bankCode }, i) => {
      const problem = service.bankCodeProblem(bankCode, inForce.assumptions)
      const message = `No payment reaches bank ${quote(bankCode)}: a bank code ${problem}.`
      return at(['directory', 'bankAccounts', i, 'bankCode'], problem !== undefined, message)
    }),
    ...faults.flatMap(({ then }, i) =>
      at(
        ['faults', i, 'then', 'rateLimit'],
        then?.rateLimit?.retryAfter !== undefined && inForce.assumptions['retry-after'] === 'none',
        'retryAfter has no effect: no Retry-After is sent here. Turn it on: assumptions: { retry-after: sent }.',
      ),
    ),
  ]
}

function repeatedEntries({ written, source }: Warned): Problem[] {
  const lists: Readonly<Record<string, readonly DirectoryEntry[]>> = written.directory ?? {}
  return Object.entries(lists).flatMap(([list, entries]) => {
    const lines = new Map<string, number>()
    return entries.flatMap((one, i) => {
      const name = entryName(one)
      const place = source.placeOf(['directory', list, i])
      const first = lines.get(name)
      if (first === undefined) lines.set(name, place.line)
      return first === undefined
        ? []
        : [problemAt(place, `${name} is listed on line ${first} already, which counts. Remove one of the two.`)]
    })
  })
}
