/** Compares real traffic with mfano's answers, and finds by trial which assumptions remove the differences. */
import type { Control, ControlAnswer, ControlBody } from '../../client/control.ts'
import { MfanoError } from '../../client/errors.ts'
import { must } from '../../core/model/must.ts'
import { isTouched } from '../matrix/evidence.ts'
import { inNewWorld } from '../subject/own-worlds.ts'
import type { HarRecord } from '../traffic/har.ts'
import type { Secrets } from '../traffic/secrets.ts'
import { printExact } from '../values/exact-json.ts'
import { answerDifferences, type Found } from './answer-differences.ts'
import type { CompareReport, OperationCompared, Settling, TrafficDifference } from './compare-report.ts'
import { DeclaredValues } from './declared-values.ts'
import { type RepeatedRequest, Repeater } from './repeat.ts'
import { type AskedRequest, SortedTraffic } from './sorted-traffic.ts'
import { timeDifferences } from './time-forms.ts'

/** In each round the best alternatives are kept and all others are tried on top of them. */
const ROUNDS = 4
/** High, because a wrong status hides all other differences of an answer. */
const STATUS_WEIGHT = 100
const TOLD = 120
/** Temporary refusals (overload, no funds). They say nothing about the request, so they are not compared. */
const PASSING = [402, 423, 429]

export interface CompareOptions {
  url: string
  world(choices: Readonly<Record<string, string>>, startMs: number): ControlBody<'POST', '/worlds'>
  recorded: readonly HarRecord[]
  ends: ReadonlySet<string>
  secrets: Secrets
  jobs: number
  signal: AbortSignal
}

type Choices = Readonly<Record<string, string>>
type Fidelity = ControlAnswer<'GET', '/fidelity'>

/** `why` says why the exchange is not comparable. `assumed` lists the assumptions that affected the answer. */
type Verdict = { why: string } | { found: Found[]; assumed: ReadonlySet<string> }
/** By index of the exchange. Undefined where it was not repeated. */
type Verdicts = readonly (Verdict | undefined)[]

export async function compare(options: CompareOptions): Promise<Omit<CompareReport, 'told'>> {
  return new Comparison(options, await learned(options)).report()
}

async function learned({ url, world }: CompareOptions): Promise<{ fidelity: Fidelity; declared: DeclaredValues }> {
  return inNewWorld(url, world({}, 0), async ({ baseUrl, control }) => ({
    fidelity: await control('GET', '/fidelity'),
    declared: new DeclaredValues(await (await fetch(`${baseUrl}/openapi.json`)).json()),
  }))
}

/** `touched` holds the indexes of differing exchanges that the alternative can affect. */
interface Candidate {
  settling: Settling
  touched: ReadonlySet<number>
}

class Comparison {
  readonly #options: CompareOptions
  readonly #fidelity: Fidelity
  readonly #declared: DeclaredValues
  readonly #traffic: SortedTraffic

  constructor(options: CompareOptions, { fidelity, declared }: Awaited<ReturnType<typeof learned>>) {
    this.#options = options
    this.#fidelity = fidelity
    this.#declared = declared
    this.#traffic = new SortedTraffic(options.recorded, fidelity.operations, options.ends)
  }

  async report(): Promise<Omit<CompareReport, 'told'>> {
    const byDefault = (await this.#repeated({})) ?? []
    const { chosen, settled } = await this.#settle(byDefault)
    const notCompared = byDefault.flatMap((verdict) => (verdict && 'why' in verdict ? [verdict.why] : []))
    const groups = Object.entries(Object.groupBy(notCompared, (why) => why))
    return {
      exchanges: this.#traffic.asked.length,
      compared: byDefault.length - notCompared.length,
      notCompared: groups.map(([why, all = []]) => ({ why, times: all.length })),
      operations: this.#operations(byDefault, settled),
      assumptions: chosen,
      patch: patchOf(chosen),
    }
  }

  /** Repeats the wanted exchanges in a new world. Returns undefined if mfano rejects the choices. */
  async #repeated(choices: Choices, isWanted = (_at: number) => true): Promise<Verdicts | undefined> {
    const { url, world, signal, recorded } = this.#options
    signal.throwIfAborted()
    try {
      return await inNewWorld(url, world(choices, recorded[0]?.atMs ?? 0), async (made) => {
        const repeater = new Repeater(made, this.#traffic)
        const verdicts: (Verdict | undefined)[] = []
        for (const [at, asked] of this.#traffic.asked.entries()) {
          signal.throwIfAborted()
          verdicts.push(isWanted(at) ? await this.#compared(asked, repeater) : undefined)
        }
        return verdicts
      })
    } catch (error) {
      if (error instanceof MfanoError && error.status === 400) return undefined
      throw error
    }
  }

  async #compared(asked: AskedRequest, repeater: Repeater): Promise<Verdict> {
    const { recorded, operation } = asked
    const here = await repeater.repeat(recorded, operation?.operation)
    if ('why' in here) return here
    const isPassing = PASSING.includes(recorded.status) || recorded.status >= 500
    if (isPassing && here.status !== recorded.status)
      return { why: `the service answered ${recorded.status}, which passes` }
    const terms = { traffic: this.#traffic, declared: this.#declared, idOf: (id: string) => repeater.idOf(id) }
    const found = [...answerDifferences(asked, here, terms), ...timeDifferences(recorded, here, this.#traffic)]
    return { found, assumed: found.length === 0 ? new Set() : await assumedOf(here, repeater.world.control) }
  }

  /** Greedy: keeps what helps in each round, because trying all combinations would take too long. */
  async #settle(byDefault: Verdicts): Promise<{ chosen: Record<string, string>; settled: Map<string, Settling> }> {
    const settled = new Map<string, Settling>()
    let chosen: Choices = {}
    let best = byDefault
    for (let round = 0; round < ROUNDS && weightOf(best) > 0; round++) {
      const tried = await this.#each(this.#candidates(best, chosen), (one) => this.#tried(one, best, chosen))
      const helpful = tried.filter(({ gone }) => gone.length > 0).sort((a, b) => b.gone.length - a.gone.length)
      const before = best
      // All at once, as a rule; one by one where together they do not do what each does alone.
      const ways = helpful.length > 1 ? [helpful, ...helpful.map((one) => [one])] : [helpful]
      for (const way of ways) {
        if (way.length === 0 || way.some(({ settling }) => chosen[settling.assumption] !== undefined)) continue
        const more = Object.fromEntries(
          way.toReversed().map(({ settling }) => [settling.assumption, settling.alternative]),
        )
        const verdicts = await this.#repeated({ ...chosen, ...more })
        if (!verdicts || !helps(best, verdicts)) continue
        chosen = { ...chosen, ...more }
        best = verdicts
        for (const { settling, gone } of way)
          if (more[settling.assumption] === settling.alternative)
            for (const key of gone) if (!settled.has(key)) settled.set(key, settling)
        if (way === helpful) break
      }
      if (best === before) break
    }
    return { chosen: await this.#needed(chosen, best, settled), settled }
  }

  /**
   * Repeats only the exchanges that the alternative can affect and the earlier ones that change state, to save time.
   */
  async #tried({ settling, touched }: Candidate, best: Verdicts, chosen: Choices) {
    const choices = { ...chosen, [settling.assumption]: settling.alternative }
    const last = Math.max(...touched)
    const verdicts = await this.#repeated(choices, (at) => touched.has(at) || (at < last && this.#changes(at)))
    const ofTouched = (all: Verdicts): Verdicts => all.map((one, at) => (touched.has(at) ? one : undefined))
    const [before, after] = [ofTouched(best), ofTouched(verdicts ?? [])]
    const isBetter = verdicts !== undefined && weightOf(after) < weightOf(before)
    const left = new Set(keysOf(after))
    return { settling, gone: isBetter ? keysOf(before).filter((key) => !left.has(key)) : [] }
  }

  #changes(at: number): boolean {
    const { recorded, operation } = must(this.#traffic.asked[at])
    return recorded.method !== 'GET' || !/^(?:get|list)/.test(operation?.operation ?? 'get')
  }

  /** Drops choices that no longer help beside the others, and records which differences each remaining one removes. */
  async #needed(chosen: Choices, best: Verdicts, settled: Map<string, Settling>): Promise<Record<string, string>> {
    let needed = { ...chosen }
    const left = new Set(keysOf(best))
    for (const [assumption, alternative] of Object.entries(chosen)) {
      const { [assumption]: _, ...others } = needed
      const without = await this.#repeated(others)
      if (!without) continue
      if (weightOf(without) <= weightOf(best)) needed = others
      else
        for (const key of keysOf(without))
          if (!left.has(key) && !settled.has(key)) settled.set(key, { assumption, alternative })
    }
    return needed
  }

  #candidates(verdicts: Verdicts, chosen: Choices): Candidate[] {
    const differing = [...this.#traffic.asked.entries()].filter(([at]) => isDifferent(verdicts[at]))
    return this.#fidelity.assumptions
      .filter(({ id }) => chosen[id] === undefined)
      .flatMap(({ id, alternatives, inForce, touches }) => {
        const isShown = ([at, asked]: (typeof differing)[number]) => isTouched(id, touches, usedBy(asked, verdicts[at]))
        const touched = new Set(differing.filter(isShown).map(([at]) => at))
        const others = touched.size === 0 ? [] : alternatives.filter((one) => one !== inForce)
        return others.map((alternative) => ({ settling: { assumption: id, alternative }, touched }))
      })
  }

  async #each<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
    const results: Result[] = []
    const waiting = [...items.entries()]
    const worker = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) results[next[0]] = await work(next[1])
    }
    await Promise.all(Array.from({ length: this.#options.jobs }, worker))
    return results
  }

  #operations(verdicts: Verdicts, settled: ReadonlyMap<string, Settling>): OperationCompared[] {
    const { secrets } = this.#options
    const told = new Map<string, OperationCompared & { byKey: Map<string, TrafficDifference> }>()
    for (const [at, { recorded, operation }] of this.#traffic.asked.entries()) {
      const verdict = verdicts[at]
      if (!verdict || 'why' in verdict) continue
      const path = operation?.path ?? secrets.path(must(this.#traffic.pathOf(recorded).split('?')[0]))
      const name = operation?.operation ?? `${recorded.method} ${path}`
      const one = told.get(name) ?? {
        operation: name,
        method: recorded.method,
        path,
        compared: 0,
        differences: [],
        byKey: new Map(),
      }
      told.set(name, one)
      one.compared++
      for (const found of verdict.found) {
        const key = `${found.sort} ${found.path}`
        const before = one.byKey.get(key)
        if (before) before.times++
        else
          one.byKey.set(key, {
            sort: found.sort,
            path: found.path,
            recorded: printed(found.recorded, secrets),
            here: printed(found.here, secrets),
            times: 1,
            settledBy: settled.get(`${at} ${key}`) ?? null,
          })
      }
    }
    return [...told.values()].map(({ byKey, ...one }) => ({ ...one, differences: [...byKey.values()] }))
  }
}

function isDifferent(verdict: Verdict | undefined): boolean {
  return verdict !== undefined && 'found' in verdict && verdict.found.length > 0
}

/** No exchange may get worse, because one that already matched contradicts the choice. */
function helps(before: Verdicts, after: Verdicts): boolean {
  return (
    after.every((verdict, at) => !isDifferent(verdict) || isDifferent(before[at])) && weightOf(after) < weightOf(before)
  )
}

function weightOf(verdicts: Verdicts): number {
  const found = verdicts.flatMap((verdict) => (verdict && 'found' in verdict ? verdict.found : []))
  return found.reduce(
    (sum, { sort }) => sum + (sort === 'status' || sort === 'unknown-operation' ? STATUS_WEIGHT : 1),
    0,
  )
}

function keysOf(verdicts: Verdicts): string[] {
  return verdicts.flatMap((verdict, at) =>
    verdict && 'found' in verdict ? verdict.found.map(({ sort, path }) => `${at} ${sort} ${path}`) : [],
  )
}

function printed(value: unknown, secrets: Secrets): string {
  if (value === undefined) return '(nothing)'
  const text =
    typeof value === 'string'
      ? secrets.redact(JSON.stringify(value))
      : secrets.body(printExact(value), 'application/json')
  return text.length > TOLD ? `${text.slice(0, TOLD)}…` : text
}

function patchOf(chosen: Choices): string {
  const lines = Object.entries(chosen).map(
    ([id, value]) =>
      `  ${id}: ${/^\d|^(?:on|off|yes|no|true|false|null)$/.test(value) ? JSON.stringify(value) : value}\n`,
  )
  return lines.length === 0 ? '' : `assumptions:\n${lines.join('')}`
}

async function assumedOf({ requestId }: RepeatedRequest, control: Control): Promise<ReadonlySet<string>> {
  if (requestId === null) return new Set()
  const { requests } = await control('GET', '/requests', { query: { requestId } })
  return new Set(requests.flatMap(({ assumed }) => assumed))
}

function usedBy({ operation }: AskedRequest, verdict: Verdict | undefined) {
  return {
    operations: new Set(operation ? [operation.operation] : []),
    kinds: new Set<string>(),
    unrouted: operation === undefined,
    noted: verdict && 'assumed' in verdict ? verdict.assumed : new Set<string>(),
  }
}
