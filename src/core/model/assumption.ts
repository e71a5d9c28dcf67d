/** Assumptions: questions that no source answers, each with the alternatives that a world can go by. */
import { Chance } from './chance.ts'
import { isRaw } from './json.ts'
import { isRecord } from './must.ts'

export interface Assumption<Value extends string = string> {
  question: string
  /** The first is the default. */
  alternatives: readonly [Value, ...Value[]]
  note: string
  area: string
  touches: Touches
}

/**
 * Requests and callbacks that an alternative can change. A test that touches none of them runs alike under every
 * alternative.
 */
export interface Touches {
  operations?: 'all' | readonly string[]
  callbacks?: 'all' | readonly string[]
  unrouted?: true
  /** Only requests whose journal entry names the assumption, because it decided something there. */
  noted?: true
}

/** Divides a note: the sentence about each alternative (`accept: read it as JSON.`), and what is about none of them. */
export function meaningsIn({ note, alternatives }: Pick<Assumption, 'note' | 'alternatives'>) {
  const meanings: Record<string, string> = {}
  const sentences = note.split(/(?<=\.) (?=[A-Z])|(?<=\.) (?=[\w-]+: )/)
  const about = sentences.filter((sentence) => {
    const alternative = alternatives.find((one) => sentence.startsWith(`${one}: `))
    if (alternative !== undefined) meanings[alternative] = sentence.slice(alternative.length + 2)
    return alternative === undefined
  })
  return { about: about.join(' '), meanings }
}

export interface CommonAssumptions extends TransportAssumptions {
  'timestamp-zone': 'utc' | 'nairobi'
  'unlisted-accounts': 'any-name' | 'invented-holder'
  'funds-check': 'at-creation' | 'at-settlement'
  'final-callback': 'final' | 'pending-too'
  'callback-success': '2xx' | '200'
  'callback-signature': 'none' | 'standard-webhooks'
  'success-record': 'filled' | 'bare'
  'checkout-cancel': 'stays-pending' | 'fails'
  'callback-retries': 'as-set' | 'never' | 'hourly'
  'callback-timeout': 'as-set' | '3s' | '30s'
  'callback-headers': 'plain' | 'java-client' | 'bare'
  'expired-callback': 'sent' | 'none'
  'reversal-callback': 'sent' | 'none'
  'extra-fields': 'none' | 'some'
  'retry-after': 'sent' | 'none'
  'session-life': '30m' | '5m' | '24h'
  'prompt-life': '3s' | '1m'
}

export interface TransportAssumptions {
  'unsupported-media-type': '415' | '400' | 'accept'
  'body-limit': '1mb' | '100kb'
  'unsupported-method': '405' | '404'
  'trailing-slash': '404' | 'same' | '301' | '308'
  'idempotency-key': 'ignored' | 'replay' | 'refuse'
}

export type AssumptionRegistry = Readonly<Record<string, Assumption>> & {
  readonly [Id in keyof CommonAssumptions]: Assumption<CommonAssumptions[Id]>
}

export type Assumptions = Readonly<Record<string, string>> & Readonly<CommonAssumptions>

export function defaultsOf(registry: AssumptionRegistry): Assumptions {
  const defaults = Object.entries(registry).map(([id, { alternatives }]) => [id, alternatives[0]])
  return Object.fromEntries(defaults)
}

/** An alternative of every assumption; the same seed gives the same, and a new assumption does not shift the others. */
export function drawnAlternatives(
  registry: Readonly<Record<string, { alternatives: readonly string[] }>>,
  seed: number,
): Record<string, string> {
  const chance = new Chance(seed)
  const drawn = Object.entries(registry).map(([id, { alternatives }]) => [
    id,
    chance.of('assumption', id).pick(alternatives),
  ])
  return Object.fromEntries(drawn)
}

export type ChosenBy = 'default' | 'scenario' | 'drawn'

// The basis of a fact about the service; see the README's fidelity table.

export type Basis = 'specified' | 'published' | 'measured' | 'assumed'

export type Source = Exclude<Basis, 'assumed' | 'measured'>

/** A convention is assumed as an assumption is, without alternatives. Its name follows the colon. */
export type ConventionGround<Name extends string = string> = `convention: ${Name}`

/**
 * Facts may rest on more than what decides fields: on a setting of the `scenario`. `own`: part of mfano or HTTP, and no
 * statement about the service.
 */
export type Ground = Source | 'scenario' | 'own' | (string & {})

export interface Grounded {
  'x-basis': Basis
  'x-assumption'?: string
  'x-convention'?: string
}

/** The name of the convention that a ground is, if it is one. */
function conventionIn(ground: string): string | undefined {
  return /^convention: (.+)$/.exec(ground)?.[1]
}

export function grounded(ground: string): Grounded {
  if (ground === 'specified' || ground === 'published') return { 'x-basis': ground }
  const convention = conventionIn(ground)
  if (convention !== undefined) return { 'x-basis': 'assumed', 'x-convention': convention }
  return { 'x-basis': 'assumed', 'x-assumption': ground }
}

const DAY_MS = 86_400_000
/** Real days. An older measurement should be repeated, because a service changes. */
const FRESH_DAYS = 90

export function isStale(on: string, wallUs: number): boolean {
  return wallUs / 1000 - Date.parse(on) > FRESH_DAYS * DAY_MS
}

/** Days by assumptions, at a real instant. */
export interface Measurements {
  measured: Readonly<Record<string, string>>
  wallUs: number
}

/** When and where an assumption was measured: `2026-11-25, sandbox`. */
export function measurementOf(id: string, { measured, wallUs }: Measurements): string | undefined {
  const on = measured[id]
  return on === undefined ? undefined : `${on}, sandbox${isStale(on, wallUs) ? ', stale' : ''}`
}

/** A contract, or facts, in which whatever rests on an assumption that was measured says so. */
export function asMeasured<Document>(document: Document, measurements: Measurements): Document {
  if (Object.keys(measurements.measured).length === 0) return document
  const walked = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walked)
    // A number in its written form is an object, too.
    if (typeof value !== 'object' || value === null || isRaw(value)) return value
    const inside = Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walked(one)]))
    const assumption = inside['x-assumption']
    const id = isRecord(assumption) ? assumption['id'] : assumption
    if (typeof id === 'string' && inside['x-basis'] === 'assumed') {
      const on = measurementOf(id, measurements)
      return on === undefined ? inside : { ...inside, 'x-basis': 'measured', 'x-measured': on }
    }
    const rests = inside['assumption']
    return typeof rests === 'string' && inside['basis'] === 'assumed' && rests in measurements.measured
      ? { ...inside, basis: 'measured' }
      : inside
  }
  return walked(document) as Document
}

// Facts about a service besides fields and their constraints: refusals, headers, defaults, order of checks,
// conventions.

export const factSubjects = [
  'order',
  'refusal',
  'code',
  'answer header',
  'callback header',
  'default',
  'convention',
] as const

export interface Fact {
  about: (typeof factSubjects)[number]
  name: string
  value: string
  meaning: string
  /** `own`: part of mfano or HTTP, so merchants must not rely on it. */
  basis: Basis | 'own'
  source: string | null
  assumption: string | null
  convention: string | null
  byScenario: boolean
}

export function factOf(
  { ground, source = null }: { ground: Ground; source?: string | null },
  fact: Pick<Fact, 'about' | 'name' | 'value' | 'meaning'>,
): Fact {
  const { about, name, value, meaning } = fact
  const known = { about, name, value, meaning, source, assumption: null, convention: null, byScenario: false }
  if (ground === 'specified' || ground === 'published' || ground === 'own')
    return { ...known, basis: ground as Source | 'own' }
  if (ground === 'scenario') return { ...known, basis: 'assumed', byScenario: true }
  const convention = conventionIn(ground)
  return convention === undefined
    ? { ...known, basis: 'assumed', assumption: ground }
    : { ...known, basis: 'assumed', convention }
}

/** The basis of a fact as a contract prints it. */
export function groundOf({ basis, assumption, convention }: Fact) {
  return {
    'x-basis': basis,
    ...(assumption !== null && { 'x-assumption': assumption }),
    ...(convention !== null && { 'x-convention': convention }),
  }
}

// Values that are given for a scenario's parameters.

export type ParameterValue = string | number | boolean

/**
 * By name, from the command line or the control plane. A numeric text is accepted for a number, because flags are text.
 */
export type GivenParameters = Readonly<Record<string, ParameterValue>>
