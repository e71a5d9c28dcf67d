/**
 * Loads a scenario and what it extends, and merges them. Reads no files itself, so that a server can load texts of
 * strangers.
 */
import { headersIn } from '../expressions.ts'
import { isInstant } from '../lifecycle.ts'
import type { Zone } from '../model/calendar.ts'
import type { Kinds } from '../model/kind.ts'
import type { Libraries } from '../model/libraries.ts'
import { type Path, type Problem, printPath, quote, ScenarioError } from '../model/problems.ts'
import type { Service } from '../model/simulated-service.ts'
import { responseFaultName, summariseResponseFaultRule, watches } from '../response-faults.ts'
import type { Scenario } from '../scenario.ts'
import { mergeSettings, readScenarioSettings, type ScenarioSettings } from '../scenario-settings.ts'
import type { SourceText } from '../source-text.ts'
import { buildDirectory, type ListedEntry } from './decide/build-directory.ts'
import { decider } from './decide/decide.ts'
import { matchFault } from './decide/match-fault.ts'
import { withCallbackFaults } from './decide/with-callback-faults.ts'
import { callbackFaultName, summariseCallbackFaultRule } from './language/callback-faults.ts'
import { type ChainOptions, type Memory, readChain } from './language/chain.ts'
import { printEffective, type WrittenLayer } from './language/effective.ts'
import { mergeWireFaults, readWireFaults, unsignedProblems } from './language/fault-layers.ts'
import type { Parameter } from './language/parameters.ts'
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
  name: string
  description: string
  settings: ScenarioSettings
  listed: ListedEntry
  rails: PlacedRails
  rules: Rule[]
  repeated(): Problem[]
  idle(inForce: Pick<Scenario, 'clock' | 'callbacks' | 'assumptions'>): Problem[]
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
  const rules = mergeRules(layers)
  problems.push(...undecidedKinds(rules, options.file, service.kinds))
  const settingsBy = (seed: number | undefined) =>
    mergeSettings(
      layers.map((layer) => layer.settings),
      service,
      seed,
    )
  const settings = settingsBy(options.seed)
  const railsIn = (zone: Zone, of = layers) =>
    mergeRails(
      of.map(({ rails }) => rails),
      zone,
      service.countries.home.currency,
    )
  const faults = mergeWireFaults(layers.map((layer) => layer.wire))
  if (problems.length === 0) problems.push(...unsignedProblems(rules, faults, settings))
  if (problems.length > 0) throw new ScenarioError(problems)

  const listed: ListedEntry = {
    unregistered: layers.flatMap((layer) => layer.listed.unregistered),
    withoutMoney: layers.flatMap((layer) => layer.listed.withoutMoney),
    subscribers: layers.flatMap((layer) => layer.listed.subscribers),
    bankAccounts: layers.flatMap((layer) => layer.listed.bankAccounts),
    cards: layers.flatMap((layer) => layer.listed.cards),
    businesses: layers.flatMap((layer) => layer.listed.businesses),
  }
  let warnings: readonly Problem[] | undefined
  // Computed on demand, because creating a world must not wait for it.
  const warn = () =>
    [
      ...parameters.unused(options.file),
      ...own.repeated(),
      ...own.idle(settings),
      ...findWarnings({
        base: own.written.extends === 'none',
        rules: own.rules,
        callbackFaults: own.wire.callbacks,
        faults: own.wire.answers,
        rails: railsIn(settings.banking.zone, [own]),
        clock: settings.clock,
        assumptions: settings.assumptions,
        service,
      }),
    ].sort((a, b) => a.line - b.line || a.column - b.column)
  const summaries = rules.map((rule) => summariseSelector(rule, options.file, { then: printOutcome(rule.then) }))
  const withSeed = (seed: number): Scenario => {
    const inForce = settings.isDrawn && seed !== settings.seed ? settingsBy(seed) : settings
    const { banking, assumptions } = inForce
    const rails = railsIn(banking.zone)
    const directory = buildDirectory(listed, seed, service.countries, assumptions['unlisted-accounts'])
    return {
      name: own.name,
      description: own.description,
      source: text,
      given: options.parameters ?? {},
      parameters: parameters.list(),
      ...inForce,
      zone: banking.zone,
      seed,
      directory,
      rails,
      railEntries: summariseRails(rails, options.file),
      rules: summaries,
      callbackFaults: faults.callbacks.map((fault) => summariseCallbackFaultRule(fault, options.file)),
      faults: faults.answers.map((fault) => summariseResponseFaultRule(fault, options.file)),
      decide: withCallbackFaults(
        decider(rules, directory, service.kinds, banking),
        faults.callbacks,
        directory,
        service.kinds,
      ),
      headersRead: headersIn([...rules, ...faults.callbacks, ...faults.answers].map(({ when }) => when)),
      watches: (operation) => faults.answers.some((fault) => watches(fault, operation)),
      matchFault: (facts) => matchFault(faults.answers, facts),
      warnings: () => {
        warnings ??= warn()
        return warnings
      },
      withSeed,
      effective: () => printEffective(layers, rules, { seed, libraries }),
      sendable: () => sendable(layers, shipped, rules, parameters.list(), { seed, libraries }),
    }
  }
  return withSeed(settings.seed)
}

/** A shipped file is named instead of copied, so that a server can tell its rules from the scenario's own. */
function sendable(
  layers: readonly Layer[],
  shipped: readonly (string | undefined)[],
  rules: readonly Rule[],
  parameters: readonly Parameter[],
  { seed, libraries }: { seed: number; libraries: Libraries },
): ReturnType<Scenario['sendable']> {
  const first = shipped.findIndex((name) => name !== undefined)
  const include = first < 0 ? [] : shipped.slice(first)
  // An own file behind a shipped one: names alone would change the order of the rules.
  const named = include.filter((name) => name !== undefined)
  if (named.length < include.length)
    return { source: printEffective(layers, rules, { seed, libraries }), parameters: {} }
  const ours = first < 0 ? layers : layers.slice(0, first)
  const own = new Set(ours.flatMap((layer) => layer.rules))
  const declared = layers.slice(ours.length).flatMap(({ written }) => Object.keys(written.parameters ?? {}))
  return {
    source: printEffective(
      ours,
      rules.filter((rule) => own.has(rule)),
      { seed, include: named, libraries },
    ),
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
  file: Partial<ScenarioFile>,
  source: SourceText,
  isSound: (path: Path) => boolean,
  service: Service,
): Layer | undefined {
  const rules: Rule[] = []
  const list = Array.isArray(file.rules) ? file.rules : []
  for (const [index, rule] of list.entries()) {
    if (isSound(['rules', index])) rules.push(readRule(rule, index, source, service))
  }
  const wire = readWireFaults(file, source, isSound, service)
  if (!source.checked) reportRepeated(file, source, isSound)
  if (source.problems.length > 0) return undefined
  const { directory } = file
  const listed: ListedEntry = {
    unregistered: directory?.unregistered ?? [],
    withoutMoney: directory?.withoutMoney ?? [],
    subscribers: directory?.subscribers ?? [],
    bankAccounts: directory?.bankAccounts ?? [],
    cards: directory?.cards ?? [],
    businesses: directory?.businesses ?? [],
  }
  return {
    written: file,
    name: file.name ?? '',
    description: file.description ?? '',
    settings: readScenarioSettings(file),
    listed,
    repeated: () => repeatedEntries(listed, source),
    idle: (inForce) => idleSettings(file, inForce, service.countries, source),
    rails: placeRails(file.rails, source),
    rules,
    wire,
  }
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
        source.report(source.offsetOf(at), printPath(at), message)
      }
  }
  once([
    [rules, ['rules'], () => ''],
    [callbacks?.faults, ['callbacks', 'faults'], (i) => callbackFaultName(i, name)],
    [faults, ['faults'], (i) => responseFaultName(i, name)],
  ])
  once(Object.entries(rails ?? {}).map(([key, list]) => [list, ['rails', key], (i) => `rails.${key}[${i}]`]))
}

/** The nearest file's rules come first. They replace rules of the same name in files further away. */
function mergeRules(layers: readonly Layer[]): Rule[] {
  const taken = new Set<string>()
  return layers.flatMap((layer) => {
    const rules = layer.rules.filter((rule) => !taken.has(rule.name))
    for (const rule of rules) taken.add(rule.name)
    return rules
  })
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
