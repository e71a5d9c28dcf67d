/** Searches the schedules of one merchant, and says how many a second once its ordinary day has been judged. */
import { availableParallelism } from 'node:os'
import { readMerchantFile } from '../../src/judge/app/merchant-file.ts'
import { runExplorer } from '../../src/judge/explore/explorer.ts'
import { RUNS_PER_CPU } from '../../src/judge/search-schedules.ts'
import { given } from './kit.ts'

export interface Searching {
  file: string
  schedules: number
}
export interface Searched {
  perSecond: number
  /** Processor time of the searching process for each schedule. */
  searcherMs: number
  /** That of its app, from the search's beginning on. */
  appMs: number
}

/** Runs before the first schedule is drawn: the ordinary day, and those that show whether `reset` can be trusted. */
const WARM_UP = 8

const { file, schedules } = given<Searching>()
const merchant = readMerchantFile(file)
let runs = 0
let from = { ms: 0, cpu: process.cpuUsage() }
let to = { ms: 0, cpu: process.cpuUsage() }
const explored = await runExplorer({
  merchant,
  ...{
    seed: 1,
    jobs: RUNS_PER_CPU * availableParallelism(),
    readyWithinMs: 60_000,
    restWithinMs: 20_000,
    signal: new AbortController().signal,
  },
  ...{ withinMs: 600_000, schedules: schedules + WARM_UP, findingsMax: 1, replay: [] },
  ran() {
    runs++
    to = { ms: performance.now(), cpu: process.cpuUsage() }
    if (runs === WARM_UP) from = to
  },
})
if (explored.findings.length > 0 || explored.unjudged !== undefined || runs < schedules)
  throw new Error(`${merchant.name}: ${JSON.stringify(explored).slice(0, 400)}`)
const measured = runs - WARM_UP
const cpuUs = to.cpu.user + to.cpu.system - from.cpu.user - from.cpu.system
console.log(
  JSON.stringify({
    perSecond: (measured * 1000) / (to.ms - from.ms),
    searcherMs: cpuUs / 1000 / measured,
    appMs: (explored.spent.appMs ?? Number.NaN) / runs,
  } satisfies Searched),
)
