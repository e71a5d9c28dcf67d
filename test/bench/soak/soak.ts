/**
 * A long load at half of what the machine takes, beside kills, forks, resets and slow receivers.
 *   npm run soak -- --minutes 30                 prints figures; writes test/bench/results/soak.{md,csv,svg}
 *   npm run soak -- --minutes 30 --per-second 50 at a pace of its own
 * Exits with 1 where an answer was 5xx that nobody asked for, a ledger does not balance, or something was lost.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { argumentsOf, readFlags } from '../../../src/commands/read-arguments.ts'
import { Chance } from '../../../src/model/chance.ts'
import { cleanUp, folder, path, percentile, type Service } from '../kit.ts'
import { csvOf, type Sample, type Slope, slopeOf, svgOf } from './figures.ts'
import { type Soaked, soak } from './soak-run.ts'

const SAMPLE_MS = 5_000
/** Requests by which the capacity is found. */
const PROBE = 4_000
const LIVES = 3
/** Of a life that slopes leave out: the program warms up, and its heap finds its size. */
const WARM_UP = 0.3

const flags = [
  { name: 'minutes', value: 'number', help: 'How long.' },
  { name: 'per-second', value: 'number', help: 'Requests per second; half of what the machine takes without.' },
]
const given = argumentsOf({ words: '', count: [0, 0], flags }, readFlags(flags, process.argv.slice(2)))
const minutes = Number(given.get('minutes') ?? 30)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const perSecond = Number(given.get('per-second') ?? 0) || Math.round((await capacity()) / 2)
process.stderr.write(`${perSecond} requests per second for ${minutes} minutes …\n`)
const samples: Sample[] = []
let times: number[] = []
let server: Service | undefined
let life = 0
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
  },
  answered: (tookMs) => times.push(tookMs),
})
clearInterval(sampling)
const report = reportOf(soaked)
const results = join(path('test/bench'), 'results')
mkdirSync(results, { recursive: true })
writeFileSync(join(results, 'soak.csv'), csvOf(samples))
writeFileSync(join(results, 'soak.svg'), svgOf(samples))
writeFileSync(join(results, 'soak.md'), report)
console.log(report)
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
  // It has just been killed.
  if (Number.isNaN(residentMb)) return
  const lagS = await lag(begun)
  samples.push({
    second: Math.round((performance.now() - beganMs) / 1000),
    life,
    perSecond: Math.round((taken.length * 1000) / SAMPLE_MS),
    p50Ms: round(percentile(taken, 0.5)),
    p99Ms: round(percentile(taken, 0.99)),
    residentMb: round(residentMb),
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

function reportOf(soaked: Soaked): string {
  const [cpu] = cpus()
  const git = (...words: string[]) => execFileSync('git', words, { cwd: path('.'), encoding: 'utf8' }).trim()
  const commit = git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', 'src') === '' ? '' : ' + changes')
  const lives = Array.from({ length: LIVES }, (_, nth) => {
    const ofLife = samples.filter((one) => one.life === nth)
    const warm = ofLife.slice(Math.ceil(ofLife.length * WARM_UP))
    const slope = (name: 'residentMb' | 'p99Ms') =>
      told(slopeOf(warm.map((one) => ({ second: one.second, value: one[name] }))))
    return `| ${nth + 1} | ${warm.length} | ${slope('residentMb')} | ${slope('p99Ms')} | ${Math.max(...warm.map(({ lagS }) => lagS))} |`
  })
  return `# A soak

Written by \`npm run soak -- --minutes ${minutes}\`: commit ${commit}, Node.js ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpu?.model.trim()}.
${perSecond} requests per second, half of what the machine took before it began unless told otherwise; the load generator runs on the same machine.

| | |
| --- | ---: |
| requests | ${soaked.requests} |
| payments acknowledged | ${soaked.payments} |
| callbacks received, one in 25 answered late | ${soaked.callbacks} |
| forks made, audited and removed | ${soaked.forks} |
| resets under load | ${soaked.resets} |
| kills (\`SIGKILL\`) under load | ${soaked.kills} |
| requests that a kill or a reset cut off | ${soaked.cutOff} |
| acknowledged payments missing after a kill | ${soaked.lost.length} |
| answers of 500 and more, or none, that nobody asked for | ${soaked.unasked.length} |
| imbalances of a ledger | ${soaked.imbalances.length} |
| callbacks unsettled in the end | ${soaked.unsettled} |

Slopes are least squares over the last ${Math.round((1 - WARM_UP) * 100)} % of each life of the server, in samples of ${SAMPLE_MS / 1000} s, with the interval that
holds them in 95 of 100 cases.

| life | samples | memory, MB per minute (mean) | p99, ms per minute (mean) | worst lag, s |
| ---: | ---: | ---: | ---: | ---: |
${lives.join('\n')}

![Memory, 99th percentile and requests per second over time](soak.svg)
${[...soaked.unasked, ...soaked.lost, ...soaked.imbalances].slice(0, 20).join('\n')}`
}

function told({ perMinute, within, mean }: Slope): string {
  return `${perMinute.toFixed(2)} ± ${within.toFixed(2)} (${mean.toFixed(1)})`
}
