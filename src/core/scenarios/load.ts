/**
 * Loads a scenario and what it extends, and merges them. Reads no files itself, so that a server can load texts of
 * strangers.
 */
import { headersIn } from '../expressions.ts'
import { isInstant } from '../lifecycle.ts'
import type { Kinds, Libraries } from '../model/kind.ts'
import { type Problem, problemAt, quote, ScenarioError } from '../model/problems.ts'
import { mayPass, printResponseFault, watches } from '../response-faults.ts'
import { type Scenario, type ScenarioSettings, settingsOf } from '../scenario.ts'
import { buildDirectory } from './decisions/build-directory.ts'
import { decider, matchFault } from './decisions/decide.ts'
import { type Layer, type LoadOptions, readChain } from './keys/chain.ts'
import { type Laid, layOver, printEffective } from './keys/effective.ts'
import type { Parameter } from './keys/parameters.ts'
import { readRails, summariseRails } from './keys/rails.ts'
import { printOutcome, type Rule } from './keys/rules.ts'
import { inWords, summariseSelector } from './keys/selector.ts'
import { findWarnings } from './warnings.ts'

/**
 * YAML or JSON.
 * @throws {ScenarioError} with every problem in it and in what it extends
 */
export function loadScenario(text: string, options: LoadOptions): Scenario {
  const problems: Problem[] = []
  const { service, libraries, path } = options
  const { layers, parameters } = readChain(text, options, problems)
  const [own] = layers
  if (problems.length > 0 || !own) throw new ScenarioError(problems)
  const laid = layOver(layers)
  const { rules, callbackFaults, faults } = laid
  const rails = readRails(laid.rails, service.countries.home.currency)
  const settings = settingsOf(laid, service)
  const undecided = undecidedKinds(rules, service.kinds)
  const unsigned = undecided.length > 0 ? [] : unsignedProblems(laid, settings)
  if (undecided.length + unsigned.length > 0) throw new ScenarioError([...undecided, ...unsigned])

  let warnings: readonly Problem[] | undefined
  // Computed on demand, because creating a world must not wait for it.
  const warn = () =>
    [...parameters.unused(options.file), ...findWarnings({ ...own, ...settings, service })].sort(
      (a, b) => a.line - b.line || a.column - b.column,
    )
  const summaries = {
    rules: rules.map((rule) => summariseSelector(rule, options.file, { then: printOutcome(rule.then) })),
    callbackFaults: callbackFaults.map((fault) =>
      summariseSelector(fault, options.file, {
        then: inWords(fault.then),
        passes: fault.then.early === true,
      }),
    ),
    faults: faults.map((fault) =>
      summariseSelector(fault, options.file, { then: printResponseFault(fault), passes: mayPass(fault) }),
    ),
  }
  const seededBy = (seed: number): Scenario => {
    const inForce = settings.isDrawn && seed !== settings.seed ? settingsOf(laid, service, seed) : settings
    const { assumptions } = inForce
    const directory = buildDirectory(laid.directory, seed, service.countries, assumptions['unlisted-accounts'])
    return {
      name: own.written.name ?? '',
      description: own.written.description ?? '',
      source: text,
      ...(path !== undefined && { file: path }),
      given: options.parameters ?? {},
      parameters: parameters.list(),
      ...inForce,
      ...summaries,
      seed,
      directory,
      rails,
      railEntries: summariseRails(rails, options.file),
      decide: decider({ rules, callbackFaults }, directory, service.kinds),
      headersRead: headersIn([...rules, ...callbackFaults, ...faults].map(({ when }) => when)),
      watches: (operation) => faults.some((fault) => watches(fault, operation)),
      matchFault: (facts) => matchFault(faults, facts),
      warnings: () => {
        warnings ??= warn()
        return warnings
      },
      withSeed(other) {
        return other === this.seed ? this : seededBy(other)
      },
      effective: () => printEffective(layers, { seed, libraries }),
      sendable: () => sendable(layers, parameters.list(), { seed, libraries }),
    }
  }
  return seededBy(settings.seed)
}

/** A shipped file is named instead of copied, so that a server can tell its rules from the scenario's own. */
function sendable(
  layers: readonly Layer[],
  parameters: readonly Parameter[],
  print: { seed: number; libraries: Libraries },
): ReturnType<Scenario['sendable']> {
  // Whatever a shipped file extends is shipped, too.
  const others = layers.filter(({ shipped }) => shipped !== undefined)
  const declared = others.flatMap(({ written }) => Object.keys(written.parameters ?? {}))
  return {
    source: printEffective(layers.slice(0, layers.length - others.length), print, others[0]?.shipped),
    parameters: Object.fromEntries(
      parameters.filter(({ name }) => declared.includes(name)).map(({ name, value }) => [name, value]),
    ),
  }
}

/** Every kind with rules needs one without conditions, or some payment would get no answer. */
function undecidedKinds(rules: readonly Rule[], kinds: Kinds): Problem[] {
  return [...kinds].flatMap((kind) => {
    const { name, phrase, ends } = kind
    const own = rules.filter((rule) => rule.on.includes(name))
    const last = own.at(-1)
    if (!last || own.some((rule) => rule.when === undefined && rule.chance === undefined && !rule.nth)) return []
    const message =
      `No rule decides ${phrase} that none of the conditions fits; the last one is ${quote(last.name)}. Add one at the end without when, chance and nth: ` +
      `{ name: any other ${name}, on: ${name}, then: { after: ${isInstant(kind) ? '0s' : '2s'}, end: ${ends[0]} } }, or extend default.`
    return [problemAt(last, message)]
  })
}

/** A wrong signature needs signed callbacks. */
function unsignedProblems({ rules, callbackFaults }: Laid, { assumptions, chosenBy }: ScenarioSettings): Problem[] {
  const id = 'callback-signature'
  // A seed must not decide whether a scenario is valid.
  const isDrawn = chosenBy[id] === 'drawn'
  if (assumptions[id] !== 'none' && !isDrawn) return []
  const why = isDrawn ? 'whether callbacks are signed is drawn here' : 'callbacks are not signed here'
  const wrong = [
    ...rules.filter(({ then }) => then.callback?.signature),
    ...callbackFaults.filter(({ then }) => then.signature),
  ]
  const todo = 'Add assumptions: { callback-signature: standard-webhooks }.'
  return wrong.map((one) => problemAt(one, `${quote(one.name)} wants a wrong signature, and ${why}. ${todo}`))
}
