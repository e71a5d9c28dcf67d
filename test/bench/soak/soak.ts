/**
 * A long load at half of what the machine takes, beside kills, forks, resets and slow receivers.
 *   npm run soak -- --minutes 30                 at half of what the machine takes
 *   npm run soak -- --minutes 30 --per-second 50 at a pace of its own
 *   npm run soak -- --out DIR                    writes soak.{md,json,csv,svg} there and not to data/soak
 * Exits with 1 where something was answered that nobody asked for, a ledger does not balance, or something was lost.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { argumentsOf } from '../../../src/apps/cli/read-arguments.ts'
import { Chance } from '../../../src/core/model/chance.ts'
import { cleanUp, folder, path, percentile, type Service } from '../kit.ts'
import { csvOf, type Sample, svgOf } from './figures.ts'
import { dataOf, pageOf, type Run } from './report.ts'
import { soak } from './soak-run.ts'

const SAMPLE_MS = 5_000
/** Requests by which the capacity is found. */
const PROBE = 4_000
const LIVES = 3

const flags = [
  { name: 'minutes', value: 'number', help: 'How long.' },
  { name: 'per-second', value: 'number', help: 'Requests per second; half of what the machine takes without.' },
  { name: 'out', value: 'folder', help: 'Where figures and plots go; data/soak without.' },
]
const given = argumentsOf({ flags }, process.argv.slice(2))
const minutes = Number(given.get('minutes') ?? 30)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const asked = Number(given.get('per-second') ?? 0)
const perSecond = asked || Math.round((await capacity()) / 2)
process.stderr.write(`${perSecond} requests per second for ${minutes} minutes …\n`)
const samples: Sample[] = []
let times: number[] = []
let server: Service | undefined
let life = 0
/** Processor time that the server had used when the last sample was taken. */
let usedMs = 0
const beganMs = performance.now()
const sampling = setInterval(() => void sample(), SAMPLE_MS)
const soaked = await soak({
  requests: Math.round(perSecond * minutes * 60),
  perSecond,
  lives: LIVES,
  data: folder(),
  chance: new Chance(7),
  began: (begun, nth) => {
    server = begun
    life = nth
    usedMs = begun.cpuMs() ?? 0
  },
  answered: (tookMs) => times.push(tookMs),
})
clearInterval(sampling)
const run: Run = { minutes, perSecond, isHalf: asked === 0, lives: LIVES, sampleMs: SAMPLE_MS, samples, soaked }
const out = resolve(given.get('out') ?? path('data/soak'))
mkdirSync(out, { recursive: true })
writeFileSync(join(out, 'soak.csv'), csvOf(samples))
writeFileSync(join(out, 'soak.svg'), svgOf(samples))
writeFileSync(join(out, 'soak.json'), `${JSON.stringify(dataOf(run), null, 2)}\n`)
writeFileSync(join(out, 'soak.md'), pageOf(run))
console.log(pageOf(run))
process.stderr.write(`figures and plots are in ${out}\n`)
cleanUp()
const { unasked, lost, imbalances, unsettled } = soaked
process.exit([unasked, lost, imbalances].some((found) => found.length > 0) || unsettled > 0 ? 1 : 0)

/** Requests per second that one life takes as fast as they are answered. */
async function capacity(): Promise<number> {
  let first = 0
  let last = 0
  let answers = 0
  await soak({
    requests: PROBE,
    lives: 1,
    data: folder(),
    chance: new Chance(1),
    answered: () => {
      last = performance.now()
      if (++answers === PROBE / 2) first = last
    },
  })
  return ((answers - PROBE / 2) * 1000) / (last - first)
}

async function sample(): Promise<void> {
  const taken = times
  times = []
  const begun = server
  if (!begun || taken.length === 0) return
  const residentMb = begun.residentMb()
  const cpuMs = (begun.cpuMs() ?? 0) - usedMs
  // It has just been killed.
  if (Number.isNaN(residentMb) || cpuMs < 0) return
  usedMs += cpuMs
  const ofLife = life
  const lagS = await lag(begun)
  samples.push({
    second: Math.round((performance.now() - beganMs) / 1000),
    life: ofLife,
    perSecond: Math.round((taken.length * 1000) / SAMPLE_MS),
    p50Ms: round(percentile(taken, 0.5)),
    p99Ms: round(percentile(taken, 0.99)),
    residentMb: round(residentMb),
    cpuMs: round(cpuMs / taken.length),
    load: round(loadavg()[0] as number),
    lagS: round(lagS),
  })
}

/** As the server itself says; 0 where it is being killed. */
async function lag(begun: Service): Promise<number> {
  try {
    const text = await (await fetch(begun.url('/_mfano/metrics'))).text()
    return Math.max(
      0,
      ...Array.from(text.matchAll(/^mfano_agenda_lag_seconds\{.*\} (\S+)$/gm), ([, lag]) => Number(lag)),
    )
  } catch {
    return 0
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
