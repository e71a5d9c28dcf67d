/** What a soak came to, as a page and as data. */
import { execFileSync } from 'node:child_process'
import { cpus } from 'node:os'
import { path } from '../kit.ts'
import { type Sample, type Slope, slopeOf } from './figures.ts'
import type { Soaked } from './soak-run.ts'

/** Of a life that slopes leave out: the program warms up, and its heap finds its size. */
const WARM_UP = 0.3
/** Fewer samples of a life tell no slope from chance. */
const FEW = 10
const SLOPES = ['residentMb', 'cpuMs', 'p99Ms'] as const

/** A run, with all that it was measured by. */
export interface Run {
  minutes: number
  perSecond: number
  /** Nobody said how many; it is half of what the machine took. */
  isHalf: boolean
  lives: number
  sampleMs: number
  samples: readonly Sample[]
  soaked: Soaked
}

interface LifeFigures extends Record<(typeof SLOPES)[number], Slope> {
  samples: number
  worstLagS: number
}

/** Everything, for programs. */
export function dataOf(run: Run) {
  const { samples, ...rest } = run
  return { ...madeBy(), ...rest, load: loadOf(samples), byLife: livesOf(run), samples }
}

function madeBy() {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: path('.'), encoding: 'utf8' }).trim()
  const changed = git('status', '--porcelain', 'src') === '' ? '' : ' + changes'
  const [cpu] = cpus()
  return {
    commit: git('rev-parse', '--short', 'HEAD') + changed,
    node: process.versions.node,
    day: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} × ${cpu?.model.trim()}`,
  }
}

function loadOf(samples: readonly Sample[]) {
  const loads = samples.map(({ load }) => load)
  return { least: Math.min(...loads), mean: mean(loads), most: Math.max(...loads) }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

function livesOf({ lives, samples }: Run): LifeFigures[] {
  return Array.from({ length: lives }, (_, nth) => {
    const ofLife = samples.filter(({ life }) => life === nth)
    const warm = ofLife.slice(Math.ceil(ofLife.length * WARM_UP))
    const slope = (name: (typeof SLOPES)[number]) =>
      slopeOf(warm.map((one) => ({ second: one.second, value: one[name] })))
    return {
      samples: warm.length,
      residentMb: slope('residentMb'),
      cpuMs: slope('cpuMs'),
      p99Ms: slope('p99Ms'),
      worstLagS: Math.max(...warm.map(({ lagS }) => lagS)),
    }
  })
}

/** For people. The plots lie beside it as `soak.svg`. */
export function pageOf(run: Run): string {
  const { minutes, perSecond, isHalf, sampleMs, samples, soaked } = run
  const { commit, node, day, machine } = madeBy()
  const load = loadOf(samples)
  const lives = livesOf(run).map(
    ({ samples: count, residentMb, cpuMs, p99Ms, worstLagS }, nth) =>
      `| ${nth + 1} | ${count} | ${told(residentMb, 2)} | ${told(cpuMs, 3)} | ${told(p99Ms, 2)} | ${worstLagS} |`,
  )
  const wrong = [...soaked.unasked, ...soaked.lost, ...soaked.imbalances].slice(0, 20)
  return `# A soak

Written by \`npm run soak -- --minutes ${minutes}${isHalf ? '' : ` --per-second ${perSecond}`}\`: commit ${commit}, Node.js ${node}, ${day}, ${machine}.
${perSecond} requests per second${isHalf ? ', half of what the machine took before it began' : ', as it was told'}; the load generator runs on the same machine.
Load average of the machine meanwhile: ${load.least.toFixed(1)} to ${load.most.toFixed(1)}, ${load.mean.toFixed(1)} in the mean.${
    load.mean > cpus().length
      ? ' Others were at work on it,\nso times to an answer tell of them as much as of mfano, and processor time a little: caches are shared.'
      : ''
  }

| | |
| --- | ---: |
| requests | ${soaked.requests} |
| payments acknowledged | ${soaked.payments} |
| callbacks received | ${soaked.callbacks} |
| of these, answered when 25 others had come | ${soaked.slow} |
| forks made, audited and removed | ${soaked.forks} |
| resets under load | ${soaked.resets} |
| kills (\`SIGKILL\`) under load | ${soaked.kills} |
| requests that a kill or a reset cut off | ${soaked.cutOff} |
| acknowledged payments missing after a kill | ${soaked.lost.length} |
| answers of 400 and more, or none, that nobody asked for | ${soaked.unasked.length} |
| imbalances of a ledger | ${soaked.imbalances.length} |
| callbacks unsettled in the end | ${soaked.unsettled} |

Slopes are least squares over the last ${Math.round((1 - WARM_UP) * 100)} % of each life of the server, in samples of ${sampleMs / 1000} s, with the interval that
holds them in 95 of 100 cases; samples that are much like the one before them count for less.

| life | samples | memory, MB per minute (mean) | processor time of a request, ms per minute (mean) | p99, ms per minute (mean) | worst lag, s |
| ---: | ---: | ---: | ---: | ---: | ---: |
${lives.join('\n')}

${verdictOf(livesOf(run))}

![Memory, processor time, 99th percentile, requests per second and load over time](soak.svg)
${wrong.join('\n')}`
}

const MEASURED = { residentMb: 'memory', cpuMs: 'processor time of a request', p99Ms: 'p99' } as const

/** Which slopes are told apart from none, and which way they go. */
function verdictOf(lives: readonly LifeFigures[]): string {
  if (lives.some(({ samples }) => samples < FEW))
    return `Slopes say nothing here: a life has fewer than ${FEW} samples. A run of four minutes has more.`
  const seen = lives.flatMap((life, nth) =>
    SLOPES.filter((name) => Math.abs(life[name].perMinute) > life[name].within).map(
      (name) => `${MEASURED[name]} ${life[name].perMinute > 0 ? 'rises' : 'falls'} in life ${nth + 1}`,
    ),
  )
  return seen.length === 0
    ? 'No slope is told apart from none: each interval holds 0.'
    : `Told apart from none: ${seen.join(', ')}. By chance alone, four runs of ten have such a one among their nine intervals.`
}

function told({ perMinute, within, mean: middle }: Slope, digits: number): string {
  return `${perMinute.toFixed(digits)} ± ${within.toFixed(digits)} (${middle.toFixed(digits)})`
}
