/** Compares real traffic with mfano's answers. */
import { boundedText } from '../../client/bounded.ts'
import type { ControlBody } from '../../client/control.ts'
import { must } from '../../core/model/must.ts'
import { inNewWorld } from '../subject/own-worlds.ts'
import type { HarRecord } from '../traffic/har.ts'
import type { Secrets } from '../traffic/secrets.ts'
import { printExact } from '../values/exact-json.ts'
import { answerDifferences, type Found, type Terms } from './answer-differences.ts'
import type { CompareReport, OperationCompared, TrafficDifference } from './compare-report.ts'
import { DeclaredValues } from './declared-values.ts'
import { Repeater } from './repeat.ts'
import { type AskedRequest, SortedTraffic } from './sorted-traffic.ts'
import { timeDifferences } from './time-forms.ts'

const TOLD = 120
/** Temporary refusals (overload, no funds). They say nothing about the request, so they are not compared. */
const PASSING = [402, 423, 429]

export interface CompareOptions {
  url: string
  world: ControlBody<'POST', '/worlds'>
  recorded: readonly HarRecord[]
  ends: ReadonlySet<string>
  secrets: Secrets
  signal: AbortSignal
}

/** `why` says why the exchange is not comparable. */
type Verdict = { why: string } | { found: Found[] }
type Compared = AskedRequest & { verdict: Verdict }

/** Repeats the exchanges in a new world. */
export async function compare({ url, world, recorded, ends, secrets, signal }: CompareOptions): Promise<CompareReport> {
  return inNewWorld(url, world, async (made) => {
    const { operations } = await made.control('GET', '/fidelity')
    const declared = new DeclaredValues(
      JSON.parse(await boundedText((await fetch(`${made.baseUrl}/openapi.json`)).body)),
    )
    const traffic = new SortedTraffic(recorded, operations, ends)
    const repeater = new Repeater(made, traffic)
    const terms: Terms = { traffic, declared, idOf: (id) => repeater.idOf(id) }
    const all: Compared[] = []
    for (const asked of traffic.asked) {
      signal.throwIfAborted()
      all.push({ ...asked, verdict: await verdictOn(asked, repeater, terms) })
    }
    const unlike = all.flatMap(({ verdict }) => ('why' in verdict ? [verdict.why] : []))
    const notCompared = [...traffic.leftOut, ...unlike]
    const groups = Object.entries(Object.groupBy(notCompared, (why) => why))
    return {
      exchanges: all.length + traffic.leftOut.length,
      compared: all.length - unlike.length,
      ownTokens: repeater.ownTokens,
      notCompared: groups.map(([why, same = []]) => ({ why, times: same.length })),
      operations: byOperation(all, traffic, secrets),
    }
  })
}

async function verdictOn(asked: AskedRequest, repeater: Repeater, terms: Terms): Promise<Verdict> {
  const { recorded, operation } = asked
  const here = await repeater.repeat(recorded, operation?.operation)
  if ('why' in here) return here
  const isPassing = PASSING.includes(recorded.status) || recorded.status >= 500
  if (isPassing && here.status !== recorded.status)
    return { why: `the service answered ${recorded.status}, which passes` }
  return { found: [...answerDifferences(asked, here, terms), ...timeDifferences(recorded, here, terms.traffic)] }
}

function byOperation(all: readonly Compared[], traffic: SortedTraffic, secrets: Secrets): OperationCompared[] {
  const operations = new Map<string, OperationCompared & { byKey: Map<string, TrafficDifference> }>()
  for (const { recorded, operation, verdict } of all) {
    if ('why' in verdict) continue
    const path = operation?.path ?? secrets.path(must(traffic.pathOf(recorded).split('?')[0]))
    const name = operation?.operation ?? `${recorded.method} ${path}`
    const one = operations.get(name) ?? {
      operation: name,
      method: recorded.method,
      path,
      compared: 0,
      differences: [],
      byKey: new Map(),
    }
    operations.set(name, one)
    one.compared++
    for (const { sort, path, ...found } of verdict.found) {
      const key = `${sort} ${path}`
      const before = one.byKey.get(key)
      if (before) before.times++
      else {
        const [theirs, here] = [printed(found.recorded, secrets), printed(found.here, secrets)]
        one.byKey.set(key, { sort, path, recorded: theirs, here, times: 1 })
      }
    }
  }
  return [...operations.values()].map(({ byKey, ...one }) => ({ ...one, differences: [...byKey.values()] }))
}

function printed(value: unknown, secrets: Secrets): string {
  if (value === undefined) return '(nothing)'
  const text = secrets.body(printExact(value))
  return text.length > TOLD ? `${text.slice(0, TOLD)}…` : text
}
