/** Loads a scenario: its text, and the texts that it extends, laid over each other. Nothing here touches a file system. */
import { didYouMean } from '../model/nearest.ts'
import { type PaymentKind, paymentKinds } from '../model/payment.ts'
import { decider } from './decide.ts'
import { buildDirectory, type Listed } from './directory-build.ts'
import { kindRules } from './kinds.ts'
import { type Path, type Problem, printPath, quote, ScenarioError } from './problems.ts'
import { printOutcome, printTurn, type Rule, readRule } from './rules.ts'
import type { RuleSummary, Scenario } from './scenario.ts'
import { type ScenarioFile, scenarioSchema } from './schema.ts'
import { reportShapeProblems } from './schema-problems.ts'
import { mergeSettings, readSettings, type Settings } from './settings.ts'
import { SourceText } from './source-text.ts'

/**
 * Gives the text behind what a scenario extends: a shipped scenario's name such as `default`, or a path such as
 * `scenarios/base.yaml`, already joined with the folder of the file that named it. Undefined when there is none. Who
 * loads texts from strangers must answer paths with undefined.
 */
export type ReadScenario = (nameOrPath: string) => { file: string; text: string } | undefined

export interface LoadOptions {
  /** The name that problems print; relative paths in `extends` start from its folder. */
  file: string
  read: ReadScenario
  /** Overrides the scenario's seed. */
  seed?: number | undefined
  /** Names that `read` knows, for suggestions. */
  known?: readonly string[]
}

/** What a scenario extends when it does not say: so every one has the table of triggers below its own rules. */
const DEFAULT_PARENT = 'default'
const NO_PARENT = 'none'
const LONGEST_CHAIN = 20
const MOST_RULES = 10_000

/** One file of the chain from a scenario to what it extends in the end. */
interface Layer {
  name: string
  description: string
  settings: Settings
  listed: Listed
  rules: Rule[]
}

/**
 * Reads, checks and compiles a scenario (YAML or JSON).
 * @throws {ScenarioError} with every problem found in it and in what it extends.
 */
export function loadScenario(text: string, options: LoadOptions): Scenario {
  const problems: Problem[] = []
  const layers = loadChain(text, options, problems)
  const rules = mergeRules(layers)
  if (problems.length === 0) problems.push(...undecidedKinds(rules, options.file))
  const [own] = layers
  if (problems.length > 0 || !own) throw new ScenarioError(problems)

  const settings = mergeSettings(layers.map((layer) => layer.settings))
  const listed: Listed = {
    subscribers: layers.flatMap((layer) => layer.listed.subscribers),
    bankAccounts: layers.flatMap((layer) => layer.listed.bankAccounts),
    businesses: layers.flatMap((layer) => layer.listed.businesses),
  }
  const summaries = rules.map(summarise)
  const withSeed = (seed: number): Scenario => {
    const directory = buildDirectory(listed, seed)
    return {
      name: own.name,
      description: own.description,
      source: text,
      ...settings,
      seed,
      directory,
      rules: summaries,
      decide: decider(rules, directory),
      withSeed,
    }
  }
  return withSeed(options.seed ?? settings.seed)
}

/** Every problem of a scenario; none when it can be used. */
export function lintScenario(text: string, options: LoadOptions): Problem[] {
  try {
    loadScenario(text, options)
    return []
  } catch (error) {
    if (error instanceof ScenarioError) return error.problems
    throw error
  }
}

/** The layers of a scenario, nearest first. Stops where nothing more can be read; why is among the problems. */
function loadChain(text: string, options: LoadOptions, problems: Problem[]): Layer[] {
  const layers: Layer[] = []
  const files: string[] = []
  let next: { file: string; text: string } | undefined = { file: options.file, text }
  while (next) {
    const source: SourceText = new SourceText(next.text, next.file)
    files.push(next.file)
    next = undefined
    if (source.problems.length === 0) {
      const file = source.value as Partial<ScenarioFile>
      const tooMany = tooManyRules(file, source)
      const wrong: Path[] = tooMany ? [[]] : reportShapeProblems(source, scenarioSchema)
      const isSound = (path: Path) => !wrong.some((bad) => bad.every((part, i) => i >= path.length || part === path[i]))
      // A wrong key or a missing name leaves the rest readable; only a wrong whole does not.
      const readable = typeof file === 'object' && file !== null && !Array.isArray(file) && !tooMany
      if (readable) {
        layers.push(readLayer(file, source, isSound))
        const parent = wrong.some((bad) => bad[0] === 'extends') ? NO_PARENT : (file.extends ?? DEFAULT_PARENT)
        if (parent !== NO_PARENT) next = readParent(parent, source, files, options)
      }
    }
    problems.push(...source.problems.sort((a, b) => a.line - b.line || a.column - b.column))
  }
  return layers
}

function tooManyRules(file: Partial<ScenarioFile>, source: SourceText): boolean {
  const count = Array.isArray(file?.rules) ? file.rules.length : 0
  if (count > MOST_RULES)
    source.report(
      source.offsetOf(['rules']),
      'rules',
      `${count} rules; at most ${MOST_RULES} are read. Say more by each of them.`,
    )
  return count > MOST_RULES
}

function readLayer(file: Partial<ScenarioFile>, source: SourceText, isSound: (path: Path) => boolean): Layer {
  const rules: Rule[] = []
  const lines = new Map<string, number>()
  const list = Array.isArray(file.rules) ? file.rules : []
  for (const [index, rule] of list.entries()) {
    if (!isSound(['rules', index])) continue
    const first = lines.get(rule.name)
    if (first !== undefined) {
      const path = ['rules', index, 'name']
      source.report(
        source.offsetOf(path),
        printPath(path),
        `${quote(rule.name)} is already the name of the rule on line ${first}. Give it a name that says the difference.`,
      )
    }
    const read = readRule(rule, index, source)
    lines.set(rule.name, first ?? read.line)
    rules.push(read)
  }
  const directory = isSound(['directory']) ? file.directory : undefined
  return {
    name: file.name ?? '',
    description: file.description ?? '',
    settings: readSettings(file, source, isSound),
    listed: {
      subscribers: directory?.subscribers ?? [],
      bankAccounts: directory?.bankAccounts ?? [],
      businesses: directory?.businesses ?? [],
    },
    rules,
  }
}

/** The text that a file extends; undefined, with a problem reported, when it cannot be had. */
function readParent(parent: string, source: SourceText, files: readonly string[], options: LoadOptions) {
  const report = (message: string) => {
    source.report(source.offsetOf(['extends']), 'extends', message)
    return undefined
  }
  const isName = /^[a-z0-9][a-z0-9-]*$/.test(parent)
  if (!isName && !/^[\w./ -]+\.(?:yaml|yml|json)$/.test(parent)) {
    return report(
      `${quote(parent)} is neither the name of a shipped scenario nor a relative path to a .yaml, .yml or .json file, nor none.`,
    )
  }
  if (parent.startsWith('/')) return report(`${quote(parent)} is not a relative path. Begin it with ./ or ../.`)
  let found: { file: string; text: string } | undefined
  try {
    found = options.read(isName ? parent : joinPath(source.file, parent))
  } catch (error) {
    return report(`${quote(parent)} cannot be read: ${(error as Error).message}`)
  }
  if (!found) {
    const known = options.known ?? []
    const list = known.length > 0 ? ` Known: ${known.join(', ')}, none.` : ''
    return report(`There is no scenario ${quote(parent)}.${list}${didYouMean(parent, [...known, NO_PARENT])}`)
  }
  const again = files.indexOf(found.file)
  if (again >= 0) {
    const circle = [...files.slice(again), found.file].join(' extends ')
    return report(`It extends itself: ${circle}. Write extends: none in the one that all begin with.`)
  }
  if (files.length >= LONGEST_CHAIN)
    return report(`More than ${LONGEST_CHAIN} scenarios extend one another. Put some of them together.`)
  return found
}

/** A path from the folder of a file, without `.` and `..` where they can be worked out. */
function joinPath(file: string, path: string): string {
  const parts = file.split('/').slice(0, -1)
  for (const part of path.split('/')) {
    const last = parts.at(-1)
    if (part === '..' && last !== undefined && last !== '..' && last !== '') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}

/** Nearest file's rules first; a rule of the same name further away is replaced. */
function mergeRules(layers: readonly Layer[]): Rule[] {
  const taken = new Set<string>()
  return layers.flatMap((layer) => {
    const rules = layer.rules.filter((rule) => !taken.has(rule.name))
    for (const rule of rules) taken.add(rule.name)
    return rules
  })
}

/** Kinds that have rules, none of which decides whatever comes: some payment of them would get no answer. */
function undecidedKinds(rules: readonly Rule[], file: string): Problem[] {
  return paymentKinds.flatMap((kind: PaymentKind) => {
    const own = rules.filter((rule) => rule.on.includes(kind))
    const last = own.at(-1)
    if (!last || own.some((rule) => rule.when === undefined && rule.chance === undefined && !rule.nth)) return []
    const { phrase, ends, instant } = kindRules[kind]
    const message =
      `No rule decides ${phrase} that none of the conditions fits; the last one is ${quote(last.name)}. Add one at the end without when, chance and nth: ` +
      `{ name: any other ${kind}, on: ${kind}, then: { after: ${instant ? '0s' : '2s'}, end: ${ends[0]} } }, or extend default.`
    return [{ file: last.file || file, line: last.line, column: 1, path: 'rules', message }]
  })
}

function summarise(rule: Rule): RuleSummary {
  const { name, on, when, chance, nth, then, file, line } = rule
  return { name, on: [...on], when, chance, nth: printTurn(nth), then: printOutcome(then), file, line }
}
