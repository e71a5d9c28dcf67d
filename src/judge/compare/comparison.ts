import { boundedText } from '../../client/send.ts'
import { isRecord, must } from '../../core/model/must.ts'
import type { Contract } from '../../http/contract.ts'
import { type JsonSchema, resolved } from '../../http/json-schema.ts'
import type { OwnWorld } from '../subject/own-worlds.ts'
import { isMasked, type Secrets, secretsIn } from '../traffic/har.ts'
import { belowBase, type HarRecord, type HeaderMap, type Traffic } from '../traffic/read-traffic.ts'
import { type Difference, differencesOf, formOf, numberIn, parsed, printed } from '../values/differences.ts'
import type { CompareReport, OperationCompared, TrafficDifference } from './compare-report.ts'
import { type RepeatedRequest, Repeater } from './repeat.ts'
import { type AskedRequest, SortedTraffic } from './sorted-traffic.ts'

/** Temporary refusals (overload, no funds). They say nothing about the request, so they are not compared. */
const PASSING = [402, 423, 429]

/** `why` says why the exchange is not comparable. */
type Verdict = { why: string } | { found: Found[] }
type Compared = AskedRequest & { verdict: Verdict }

/** Repeats the exchanges in a world. */
export async function compare(
  { entries: recorded, unreadable }: Traffic,
  world: OwnWorld,
  signal: AbortSignal,
): Promise<CompareReport> {
  const declared = new DeclaredValues(
    JSON.parse(await boundedText((await fetch(`${world.baseUrl}/openapi.json`)).body)),
  )
  const traffic = new SortedTraffic(recorded)
  const repeater = new Repeater(world, traffic)
  const terms: Terms = { traffic, declared, idOf: (id) => repeater.idOf(id) }
  const all: Compared[] = []
  for (const asked of traffic.asked) {
    signal.throwIfAborted()
    all.push({ ...asked, verdict: await verdictOn(asked, repeater, terms) })
  }
  const unlike = all.flatMap(({ verdict }) => ('why' in verdict ? [verdict.why] : []))
  const lacking = Array.from({ length: unreadable }, () => 'it could not be read')
  const groups = Map.groupBy([...lacking, ...traffic.leftOut, ...unlike], (why) => why)
  return {
    exchanges: all.length + unreadable + traffic.leftOut.length,
    compared: all.length - unlike.length,
    ownTokens: repeater.ownTokens,
    notCompared: [...groups].map(([why, same]) => ({ why, times: same.length })),
    operations: byOperation(all, secretsIn(recorded)),
  }
}

async function verdictOn(asked: AskedRequest, repeater: Repeater, terms: Terms): Promise<Verdict> {
  const { recorded, operation } = asked
  const here = await repeater.repeat(recorded, operation?.id)
  if ('why' in here) return here
  const isPassing = PASSING.includes(recorded.status) || recorded.status >= 500
  if (isPassing && here.status !== recorded.status)
    return { why: `the service answered ${recorded.status}, which passes` }
  return { found: answerDifferences(asked, here, terms) }
}

function byOperation(all: readonly Compared[], secrets: Secrets): OperationCompared[] {
  const compared = all.flatMap(({ recorded, operation, verdict }) => {
    if ('why' in verdict) return []
    const path = operation?.path ?? secrets.path(must(belowBase(recorded.path).split('?')[0]))
    const { method } = recorded
    return [{ name: operation?.id ?? `${method} ${path}`, method, path, found: verdict.found }]
  })
  const shown = (value: unknown) => printed(value, (text) => secrets.body(text))
  return Array.from(
    Map.groupBy(compared, ({ name }) => name),
    ([name, alike]) => {
      const { method, path } = must(alike[0])
      const found = alike.flatMap((one) => one.found)
      const differences = Array.from(
        Map.groupBy(found, (one) => `${one.sort} ${one.path}`).values(),
        ([first, ...rest]): TrafficDifference => {
          const { sort, path: at, recorded, here } = must(first)
          return { sort, path: at, recorded: shown(recorded), here: shown(here), times: 1 + rest.length }
        },
      )
      return { operation: name, method, path, compared: alike.length, differences }
    },
  )
}

// Finds the values that a contract fixes: constants, enumerations, and the only value that the specification shows.

class DeclaredValues {
  readonly #schemas: Record<string, JsonSchema>
  readonly #answers = new Map<string, JsonSchema>()

  constructor({ paths, components }: Contract) {
    this.#schemas = components.schemas
    for (const { operationId, responses } of Object.values(paths).flatMap((methods) => Object.values(methods))) {
      const [, good] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
      const schema = good?.content?.['application/json'].schema
      if (schema) this.#answers.set(operationId, schema)
    }
  }

  /** `path` has the form `data[].channel` and refers to a successful answer. */
  has(operation: string, path: string): boolean {
    const parts = path.split(/\.|(?=\[)/).filter((part) => part !== '')
    let schemas = this.#parts(this.#answers.get(operation))
    for (const part of parts)
      schemas = schemas.flatMap(({ items, properties }) => this.#parts(part === '[]' ? items : properties?.[part]))
    return schemas.some(
      (schema) =>
        schema.const !== undefined ||
        schema.enum !== undefined ||
        schema['x-constraints']?.['x-usual']?.['x-basis'] === 'specified',
    )
  }

  #parts(schema: JsonSchema | undefined): JsonSchema[] {
    if (!schema) return []
    const whole = resolved(schema, this.#schemas)
    return [whole, ...[...(whole.anyOf ?? []), ...(whole.oneOf ?? [])].flatMap((one) => this.#parts(one))]
  }
}

// Compares mfano's answer with the recorded one: status, presence, types and forms. Values count only where they are
// declared.

/** `path` omits list indexes. */
interface Found {
  sort: TrafficDifference['sort']
  path: string
  recorded: unknown
  here: unknown
}

interface Terms {
  traffic: SortedTraffic
  declared: DeclaredValues
  /** The id in this world that stands for a recorded id. */
  idOf(recorded: string): string | undefined
}

/** Fields of an error that do not depend on the merchant. */
const REFUSAL = ['code', 'errorCode', 'message', 'status', 'statusCode']

function answerDifferences({ recorded, operation }: AskedRequest, here: RepeatedRequest, terms: Terms): Found[] {
  if (recorded.status !== here.status) return [ofStatus(recorded, operation !== undefined, here)]
  const { unrecorded } = recorded
  const bodies = unrecorded.has('answer') ? [] : bodyDifferences(parsed(recorded.answer), here.body, terms)
  const media: Found[] =
    unrecorded.has('media-type') || recorded.mediaType === here.mediaType
      ? []
      : [{ sort: 'media-type', path: '', recorded: recorded.mediaType, here: here.mediaType }]
  const id = operation?.id ?? ''
  const counting = bodies.filter((one) =>
    counts(one, { id, status: recorded.status, unaligned: here.unaligned }, terms),
  )
  const headers = unrecorded.has('headers') ? [] : headerDifferences(recorded.told, here.told)
  return [...media, ...headers, ...counting]
}

function headerDifferences(recorded: HeaderMap, here: HeaderMap): Found[] {
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(here)])]
  return names.flatMap((name): Found[] => {
    const [theirs, ours] = [recorded[name], here[name]]
    if ((theirs === undefined) === (ours === undefined)) return []
    return [{ sort: ours === undefined ? 'missing' : 'extra', path: `header ${name}`, recorded: theirs, here: ours }]
  })
}

function ofStatus({ status, answer }: HarRecord, isKnown: boolean, here: RepeatedRequest): Found {
  if (!isKnown && status < 400) return { sort: 'unknown-operation', path: '', recorded: status, here: here.status }
  const told = (code: number, body: unknown) => [code, codeIn(body)].filter((one) => one !== undefined).join(' ')
  return { sort: 'status', path: '', recorded: told(status, parsed(answer)), here: told(here.status, here.body) }
}

/** Looks in all published error forms. */
function codeIn(body: unknown): string | undefined {
  const { error, code, errorCode }: Record<string, unknown> = isRecord(body) ? body : {}
  return [isRecord(error) ? error['code'] : undefined, errorCode, code].find((one) => typeof one === 'string')
}

function bodyDifferences(recorded: unknown, here: unknown, terms: Terms): Found[] {
  if (Array.isArray(recorded) && Array.isArray(here)) return listDifferences(recorded, here, '', terms)
  if (!isRecord(recorded) || !isRecord(here)) return differencesOf(recorded, here).map(generic)
  const [theirs, ours] = [recorded['data'], here['data']]
  if (!Array.isArray(theirs) || !Array.isArray(ours)) return differencesOf(recorded, here).map(generic)
  const around = differencesOf({ ...recorded, data: [] }, { ...here, data: [] })
  return [...around.map(generic), ...listDifferences(theirs, ours, 'data', terms)]
}

/** Compares items by their mapped ids. Records from before the recording have no counterpart, so they are skipped. */
function listDifferences(recorded: unknown[], here: unknown[], path: string, { idOf }: Terms): Found[] {
  const ours = here.map(firstId)
  const places = recorded.map((item) => ours.indexOf(hereOf(firstId(item), idOf)))
  const inside = recorded.flatMap((item, at) => {
    const place = places[at] ?? -1
    return place < 0 ? [] : differencesOf(item, here[place], `${path}[]`).map(generic)
  })
  const met = places.filter((place) => place >= 0)
  // Where no item is known, two of them still have the same fields.
  if (met.length === 0 && recorded.length > 0 && here.length > 0)
    return differencesOf(recorded[0], here[0], `${path}[]`)
      .filter(({ sort }) => sort === 'missing' || sort === 'extra')
      .map(generic)
  const known = recorded.filter((item) => hereOf(firstId(item), idOf) !== undefined).length
  const found: Found[] = [...inside]
  if (known > met.length)
    found.push({
      ...{ sort: 'missing', path: `${path}[]` },
      ...{ recorded: `${known} known records`, here: `${met.length} of them` },
    })
  if (here.length > met.length)
    found.push({
      ...{ sort: 'extra', path: `${path}[]` },
      ...{ recorded: `${met.length} of them`, here: `${here.length} records` },
    })
  return found
}

function hereOf(id: string | undefined, idOf: Terms['idOf']): string | undefined {
  return id === undefined ? undefined : idOf(id)
}

/** The first UUID of a record is assumed to be its own id. */
function firstId(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null) return undefined
  return Object.values(item).find((value) => typeof value === 'string' && formOf(value) === 'uuid')
}

function generic({ sort, path, first, second }: Difference): Found {
  return { sort, path: path.replaceAll(/\[\d+\]/g, '[]'), recorded: first, here: second }
}

interface Around {
  id: string
  status: number
  unaligned: boolean
}

function counts(
  { sort, path, recorded, here }: Found,
  { id, status, unaligned }: Around,
  { traffic, declared }: Terms,
): boolean {
  if (typeof recorded === 'string' && isMasked(recorded) && typeof here === 'string') return false
  if (path.endsWith('[]')) return true
  // The payment is elsewhere: its answer says nothing but which fields there are.
  if (unaligned && sort !== 'missing' && sort !== 'extra') return false
  if (sort === 'form') return !isRounding(recorded, here) && (isStrict(recorded) || isStrict(here))
  if (sort !== 'value') return true
  const name = path.split('.').at(-1) ?? ''
  if (status >= 400) return REFUSAL.includes(name)
  if (name === 'status' || name === 'message' || declared.has(id, path)) return true
  // One of the two says again what was asked, and the other does not.
  return isEcho(traffic, name, recorded) || isEcho(traffic, name, here)
}

function isEcho(traffic: SortedTraffic, name: string, value: unknown): boolean {
  return traffic.isEcho(name, String(numberIn(value) ?? value))
}

/** A time of whole seconds proves nothing, because some servers omit trailing zeros. */
function isRounding(recorded: unknown, here: unknown): boolean {
  const [theirs, ours] = [recorded, here].map((one) =>
    typeof one === 'string' ? formOf(one)?.replace(/whole seconds|fraction/, '') : undefined,
  )
  return theirs !== undefined && theirs === ours && theirs.startsWith('timestamp')
}

/** Free text is not strict, because its form means nothing. */
function isStrict(value: unknown): boolean {
  if (numberIn(value) !== undefined) return true
  return typeof value === 'string' && /^(?:uuid|timestamp|url|token)/.test(formOf(value) ?? '')
}
