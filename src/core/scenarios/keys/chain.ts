import type { GivenParameters } from '../../model/assumption.ts'
import type { Libraries, Service } from '../../model/kind.ts'
import { errorOf, isRecord } from '../../model/must.ts'
import { didYouMean, type Path, type Problem, quote } from '../../model/problems.ts'
import { textOf } from '../../model/text.ts'
import { type ResponseFaultRule, readResponseFaultRule } from '../../response-faults.ts'
import { reportShapeProblems } from '../../schema-problems.ts'
import { SourceText, type TextCache } from '../../source-text.ts'
import { Parameters } from './parameters.ts'
import { type CallbackFaultRule, kindsTold } from './planned-faults.ts'
import type { Entry, PlacedRails, RailFile } from './rails.ts'
import type { Rule } from './rules.ts'
import { type ScenarioFile, scenarioSchema } from './scenario-schema.ts'
import { kindsNamed } from './schema-parts.ts'
import { readKindSelector } from './selector.ts'

/**
 * Every scenario extends it unless it says otherwise, so that the table of trigger amounts works below its own rules.
 */
const DEFAULT_PARENT = 'default'
const NO_PARENT = 'none'
const LONGEST_CHAIN = 20
const MOST_RULES = 2_000

export interface LoadOptions {
  file: string
  /** Set where the file is there for whoever loads the scenario again. */
  path?: string
  read(nameOrPath: string): { file: string; text: string } | undefined
  known?: readonly string[]
  parameters?: GivenParameters
  libraries: Libraries
  texts?: TextCache | undefined
  /** Kept between loads, so that files which most scenarios extend are read once. */
  memory?: LayerMemory
  service: Service
}

export type LayerMemory = Map<string, Layer>

export interface Layer {
  written: Partial<ScenarioFile>
  source: SourceText
  shipped?: string | undefined
  rules: readonly Rule[]
  callbackFaults: readonly CallbackFaultRule[]
  faults: readonly ResponseFaultRule[]
  rails: PlacedRails
}

interface Found {
  file: string
  text: string
  shipped?: string
}

/** Nearest first: a file, then what it extends. */
export function readChain(
  text: string,
  options: LoadOptions,
  problems: Problem[],
): { layers: Layer[]; parameters: Parameters } {
  const layers: Layer[] = []
  const parameters = new Parameters(options.parameters)
  const way: string[] = []
  let next: Found | undefined = { file: options.file, text }
  while (next) {
    const { file, text: own, shipped }: Found = next
    const remembered = way.length > 0 ? options.memory?.get(file) : undefined
    if (remembered?.source.text === own) {
      layers.push({ ...remembered, shipped })
      break
    }
    way.push(file)
    const source = new SourceText(own, file, options.libraries, options.texts?.get(own))
    const { layer, parent } = readText(source, parameters, options)
    next = parent === undefined ? undefined : readParent(parent, source, way, options)
    if (layer) {
      layers.push({ ...layer, shipped })
      const fresh = source.read
      if (fresh && !own.includes('${')) options.texts?.put(own, fresh)
      if (standsAlone(layer.written, own)) options.memory?.set(file, layer)
    }
    problems.push(...source.problems.sort((a, b) => a.line - b.line || a.column - b.column))
  }
  if (problems.length === 0) problems.push(...parameters.unknown(options.file))
  return { layers, parameters }
}

/** A wrong key or missing name leaves the rest readable. Only a wrong root does not. */
function readText(
  source: SourceText,
  parameters: Parameters,
  { service }: LoadOptions,
): { layer?: Layer | undefined; parent?: string } {
  if (source.problems.length > 0) return {}
  parameters.fill(source)
  const written = source.value as Partial<ScenarioFile>
  if (tooManyRules(written, source)) return {}
  const wrong: Path[] = source.checked ? [] : reportShapeProblems(source, scenarioSchema(service))
  if (!isRecord(written)) return {}
  const isSound = (path: Path) => !wrong.some((bad) => bad.every((part, i) => i >= path.length || part === path[i]))
  const parent = isSound(['extends']) ? (written.extends ?? DEFAULT_PARENT) : NO_PARENT
  return { layer: readLayer(written, source, isSound, service), ...(parent !== NO_PARENT && { parent }) }
}

function readLayer(
  written: Partial<ScenarioFile>,
  source: SourceText,
  isSound: (path: Path) => boolean,
  { kinds, operations }: Service,
): Layer | undefined {
  // Hits are counted by name, so names must be unique within a file.
  const [lines, linesOfRails] = [new Map<string, number>(), new Map<string, number>()]
  const each = <File, Read extends { name: string; line: number }>(
    list: readonly File[] | undefined,
    path: Path,
    read: (one: File, at: Path, i: number) => Read,
  ): Read[] =>
    (Array.isArray(list) ? list : []).flatMap((one, i) => {
      const at = [...path, i]
      if (!isSound(at)) return []
      const made = read(one, at, i)
      const known = path[0] === 'rails' ? linesOfRails : lines
      const first = known.get(made.name)
      if (first === undefined) known.set(made.name, made.line)
      else {
        const what = `${quote(made.name)} is already ${path[0] === 'rules' ? 'the name of the rule' : 'a name'}`
        source.tell(`${what} on line ${first}. Give it a name that says the difference.`, [...at, 'name'])
      }
      return [made]
    })
  const { callbacks } = written
  const name = textOf(written.name ?? '')
  const rules = each(written.rules, ['rules'], (one, at) =>
    readKindSelector(one, at, source, one.name, kindsNamed(one.on, kinds), kinds),
  )
  const callbackFaults = each(callbacks?.faults, ['callbacks', 'faults'], (one, at, i) =>
    readKindSelector(one, at, source, one.name ?? `callback fault ${i + 1} of ${name}`, kindsTold(one, kinds), kinds),
  )
  const faults = each(written.faults, ['faults'], (one, at, i) =>
    readResponseFaultRule(one, at, `fault ${i + 1} of ${name}`, source, operations),
  )
  const rails = Object.entries(written.rails ?? {}).map(([key, list]) => [
    key,
    each<RailFile, Entry>(list, ['rails', key], (one, at) => {
      const place = source.placeOf(at)
      return { ...one, ...place, name: one.name ?? place.path, on: [...new Set([one.on].flat())] }
    }),
  ])
  if (source.problems.length > 0) return undefined
  return { written, source, rules, callbackFaults, faults, rails: Object.fromEntries(rails) }
}

/** True when a file reads the same in every scenario that extends it, so that it can be kept. */
function standsAlone({ extends: parent, parameters }: Partial<ScenarioFile>, text: string): boolean {
  return parent === NO_PARENT && parameters === undefined && !text.includes('${')
}

function tooManyRules(file: Partial<ScenarioFile>, source: SourceText): boolean {
  const count = Array.isArray(file?.rules) ? file.rules.length : 0
  if (count > MOST_RULES)
    source.tell(`${count} rules; at most ${MOST_RULES} are read. Say more by each of them.`, ['rules'])
  return count > MOST_RULES
}

function readParent(name: string, source: SourceText, way: readonly string[], options: LoadOptions): Found | undefined {
  const report = (message: string) => {
    source.tell(message, ['extends'])
    return undefined
  }
  const isName = /^[a-z0-9][a-z0-9-]*$/.test(name)
  if (!isName && !/^[\w./ -]+\.(?:yaml|yml|json)$/.test(name)) {
    return report(
      `${quote(name)} is neither the name of a shipped scenario nor a relative path to a .yaml, .yml or .json file, nor none.`,
    )
  }
  if (name.startsWith('/')) return report(`${quote(name)} is not a relative path. Begin it with ./ or ../.`)
  let found: Found | undefined
  try {
    found = options.read(isName ? name : joinPath(source.file, name))
  } catch (error) {
    return report(`${quote(name)} cannot be read: ${errorOf(error).message}`)
  }
  if (!found && !isName) return report(`There is no file ${quote(name)}.`)
  if (!found) {
    const known = options.known ?? []
    const all = [...known, NO_PARENT]
    const list = known.length > 0 ? ` Known: ${all.join(', ')}.` : ''
    return report(`There is no scenario ${quote(name)}.${list}${didYouMean(name, all)}`)
  }
  const again = way.indexOf(found.file)
  if (again >= 0) {
    const circle = [...way.slice(again), found.file].join(' extends ')
    return report(`It extends itself: ${circle}. Write extends: none in the one that all begin with.`)
  }
  if (way.length >= LONGEST_CHAIN)
    return report(`More than ${LONGEST_CHAIN} scenarios extend one another. Put some of them together.`)
  return isName ? { ...found, shipped: name } : found
}

function joinPath(file: string, path: string): string {
  const parts = file.split('/').slice(0, -1)
  for (const part of path.split('/')) {
    const last = parts.at(-1)
    if (part === '..' && last !== undefined && last !== '..' && last !== '') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return parts.join('/')
}
