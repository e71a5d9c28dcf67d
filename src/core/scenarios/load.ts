/**
 * Loads a scenario and what it extends, and merges them. Reads no files itself, so that a server can load texts of
 * strangers.
 */
import { headersIn } from '../expressions.ts'
import { isInstant } from '../lifecycle.ts'
import type { Zone } from '../model/calendar.ts'
import type { Kinds, Libraries, Service } from '../model/kind.ts'
import { type Path, type Problem, quote, ScenarioError } from '../model/problems.ts'
import { readResponseFaultRule, responseFaultName, summariseResponseFaultRule, watches } from '../response-faults.ts'
import { type Scenario, type ScenarioSettings, settingsOf } from '../scenario.ts'
import type { SourceText } from '../source-text.ts'
import { buildDirectory } from './decide/build-directory.ts'
import { decider, withCallbackFaults } from './decide/decide.ts'
import { matchFault } from './decide/match-fault.ts'
import { type ChainOptions, type Memory, readChain } from './language/chain.ts'
import { type Laid, layOver, printEffective, type WrittenLayer } from './language/effective.ts'
import type { Parameter } from './language/parameters.ts'
import { callbackFaultName, readCallbackFaultRule, summariseCallbackFaultRule } from './language/planned-faults.ts'
import { mergeRails, type PlacedRails, placeRails, summariseRails } from './language/rails.ts'
import { printOutcome, type Rule, readRule } from './language/rules.ts'
import type { ScenarioFile } from './language/scenario-schema.ts'
import { summariseSelector } from './language/selector.ts'
import { findWarnings, idleSettings, repeatedEntries } from './lint/warnings.ts'

export interface LoadOptions extends ChainOptions {
  seed?: number | undefined
  /** Kept between loads, so that files which most scenarios extend are read once. */
  memory?: LayerMemory
}

export type LayerMemory = Memory<Layer>

interface Layer extends WrittenLayer {
  source: SourceText
  rails: PlacedRails
}

/**
 * YAML or JSON.
 * @throws {ScenarioError} with every problem in it and in what it extends
 */
export function loadScenario(text: string, options: LoadOptions): Scenario {
  const problems: Problem[] = []
  const { service, libraries } = options
  const { layers, shipped, parameters } = readChain(text, options, problems, (file, source, isSound) =>
    readLayer(file, source, isSound, service),
  )
  const [own] = layers
  if (problems.length > 0 || !own) throw new ScenarioError(problems)
  const laid = layOver(layers)
  const { rules, callbackFaults, faults } = laid
  const settings = settingsOf(laid, service, options.seed)
  const undecided = undecidedKinds(rules, options.file, service.kinds)
  const unsigned = undecided.length > 0 ? [] : unsignedProblems(laid, settings)
  if (undecided.length + unsigned.length > 0) throw new ScenarioError([...undecided, ...unsigned])

  const railsIn = (zone: Zone, of = layers) =>
    mergeRails(
      of.map(({ rails }) => rails),
      zone,
      service.countries.home.currency,
    )
  let warnings: readonly Problem[] | undefined
  // Computed on demand, because creating a world must not wait for it.
  const warn = () =>
    [
      ...parameters.unused(options.file),
      ...repeatedEntries(own.written.directory ?? {}, own.source),
      ...idleSettings(own.written, settings, service, own.source),
      ...findWarnings({
        ...own,
        base: own.written.extends === 'none',
        rails: railsIn(settings.banking.zone, [own]),
        clock: settings.clock,
        assumptions: settings.assumptions,
        service,
      }),
    ].sort((a, b) => a.line - b.line || a.column - b.column)
  const summaries = {
    rules: rules.map((rule) => summariseSelector(rule, options.file, { then: printOutcome(rule.then) })),
    callbackFaults: callbackFaults.map((fault) => summariseCallbackFaultRule(fault, options.file)),
    faults: faults.map((fault) => summariseResponseFaultRule(fault, options.file)),
  }
  const withSeed = (seed: number): Scenario => {
    const inForce = settings.isDrawn && seed !== settings.seed ? settingsOf(laid, service, seed) : settings
    const { banking, assumptions } = inForce
    const rails = railsIn(banking.zone)
    const directory = buildDirectory(laid.directory, seed, service.countries, assumptions['unlisted-accounts'])
    return {
      name: own.written.name ?? '',
      description: own.written.description ?? '',
      source: text,
      given: options.parameters ?? {},
      parameters: parameters.list(),
      ...inForce,
      ...summaries,
      zone: banking.zone,
      seed,
      directory,
      rails,
      railEntries: summariseRails(rails, options.file),
      decide: withCallbackFaults(
        decider(rules, directory, service.kinds, banking),
        callbackFaults,
        directory,
        service.kinds,
      ),
      headersRead: headersIn([...rules, ...callbackFaults, ...faults].map(({ when }) => when)),
      watches: (operation) => faults.some((fault) => watches(fault, operation)),
      matchFault: (facts) => matchFault(faults, facts),
      warnings: () => {
        warnings ??= warn()
        return warnings
      },
      withSeed,
      effective: () => printEffective(layers, { seed, libraries }),
      sendable: () => sendable(layers, shipped, parameters.list(), { seed, libraries }),
    }
  }
  return withSeed(settings.seed)
}

/** A shipped file is named instead of copied, so that a server can tell its rules from the scenario's own. */
function sendable(
  layers: readonly Layer[],
  shipped: readonly (string | undefined)[],
  parameters: readonly Parameter[],
  print: { seed: number; libraries: Libraries },
): ReturnType<Scenario['sendable']> {
  const first = shipped.findIndex((name) => name !== undefined)
  const include = first < 0 ? [] : shipped.slice(first)
  // An own file behind a shipped one: names alone would change the order of the rules.
  const named = include.filter((name) => name !== undefined)
  if (named.length < include.length) return { source: printEffective(layers, print), parameters: {} }
  const ours = first < 0 ? layers : layers.slice(0, first)
  const declared = layers.slice(ours.length).flatMap(({ written }) => Object.keys(written.parameters ?? {}))
  return {
    source: printEffective(ours, { ...print, include: named }),
    parameters: Object.fromEntries(
      parameters.filter(({ name }) => declared.includes(name)).map(({ name, value }) => [name, value]),
    ),
  }
}

export function lintScenario(text: string, options: LoadOptions): Problem[] {
  try {
    loadScenario(text, options)
    return []
  } catch (error) {
    if (error instanceof ScenarioError) return error.problems
    throw error
  }
}

function readLayer(
  written: Partial<ScenarioFile>,
  source: SourceText,
  isSound: (path: Path) => boolean,
  service: Service,
): Layer | undefined {
  const each = <File, Read>(list: readonly File[] | undefined, path: Path, read: (one: File, i: number) => Read) =>
    (Array.isArray(list) ? list : []).flatMap((one, i) => (isSound([...path, i]) ? [read(one, i)] : []))
  const rules = each(written.rules, ['rules'], (one, i) => readRule(one, i, source, service))
  const callbackFaults = each(written.callbacks?.faults, ['callbacks', 'faults'], (one, i) =>
    readCallbackFaultRule(one, i, written.name, source, service.kinds),
  )
  const faults = each(written.faults, ['faults'], (one, i) =>
    readResponseFaultRule(one, i, written.name, source, service.operations),
  )
  if (!source.checked) reportRepeated(written, source, isSound)
  if (source.problems.length > 0) return undefined
  return { written, source, rules, callbackFaults, faults, rails: placeRails(written.rails, source) }
}

/** Hits are counted by name, so names must be unique within a file. */
function reportRepeated(
  { name, rules, callbacks, faults, rails }: Partial<ScenarioFile>,
  source: SourceText,
  isSound: (path: Path) => boolean,
): void {
  const once = (lists: readonly (readonly [list: unknown, path: Path, usual: (i: number) => string])[]) => {
    const lines = new Map<string, number>()
    for (const [list, path, usual] of lists)
      for (const [i, one] of (Array.isArray(list) ? list : []).entries()) {
        if (!isSound([...path, i])) continue
        const named: string = one.name ?? usual(i)
        const first = lines.get(named)
        if (first === undefined) {
          lines.set(named, source.placeOf([...path, i]).line)
          continue
        }
        const at = [...path, i, 'name']
        const what = path[0] === 'rules' ? 'the name of the rule' : 'a name'
        const message = `${quote(named)} is already ${what} on line ${first}. Give it a name that says the difference.`
        source.tell(message, at)
      }
  }
  once([
    [rules, ['rules'], () => ''],
    [callbacks?.faults, ['callbacks', 'faults'], (i) => callbackFaultName(i, name)],
    [faults, ['faults'], (i) => responseFaultName(i, name)],
  ])
  once(Object.entries(rails ?? {}).map(([key, list]) => [list, ['rails', key], (i) => `rails.${key}[${i}]`]))
}

/** Every kind with rules needs one without conditions, or some payment would get no answer. */
function undecidedKinds(rules: readonly Rule[], file: string, kinds: Kinds): Problem[] {
  return [...kinds].flatMap((kind) => {
    const { name, phrase, ends } = kind
    const own = rules.filter((rule) => rule.on.includes(name))
    const last = own.at(-1)
    if (!last || own.some((rule) => rule.when === undefined && rule.chance === undefined && !rule.nth)) return []
    const message =
      `No rule decides ${phrase} that none of the conditions fits; the last one is ${quote(last.name)}. Add one at the end without when, chance and nth: ` +
      `{ name: any other ${name}, on: ${name}, then: { after: ${isInstant(kind) ? '0s' : '2s'}, end: ${ends[0]} } }, or extend default.`
    return [{ file: last.file || file, line: last.line, column: 1, path: 'rules', message }]
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
    ...rules.filter(({ then }) => !then.refuse && then.faults.callback?.signature),
    ...callbackFaults.filter(({ then }) => then.signature),
  ]
  return wrong.map(({ file, line, name }) => ({
    file,
    line,
    column: 1,
    path: 'callbacks',
    message: `${quote(name)} wants a wrong signature, and ${why}. Add assumptions: { callback-signature: standard-webhooks }.`,
  }))
}
