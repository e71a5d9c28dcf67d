/** Figures of a soak: samples, slopes, and pictures of them. */

/** What was so in one span of time. */
export interface Sample {
  /** Since the beginning. */
  second: number
  life: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  residentMb: number
  /** Processor time of the server for each request, its steps and callbacks with it. */
  cpuMs: number
  /** Of the machine, whoever else is at work on it. */
  load: number
  /** How belated the most belated step or callback was. */
  lagS: number
}

/** A line through points by least squares: what it rises by, and how sure that is. */
export interface Slope {
  perMinute: number
  /** Half of the interval that holds it in 95 of 100 cases. */
  within: number
  mean: number
}

/**
 * How a figure goes with time, per minute. A sample that is much like the one before it, as memory is, says little anew: of
 * `n` samples whose residuals correlate by `r` as many count as would say the same if each were independent, n (1 - r) /
 * (1 + r), as is usual for trends of such series (Santer et al. 2000, Journal of Geophysical Research 105, 7337).
 */
export function slopeOf(points: readonly { second: number; value: number }[]): Slope {
  const n = points.length
  const meanX = sum(points.map(({ second }) => second)) / n
  const mean = sum(points.map(({ value }) => value)) / n
  const spread = sum(points.map(({ second }) => (second - meanX) ** 2))
  const rise = sum(points.map(({ second, value }) => (second - meanX) * (value - mean))) / spread
  const residuals = points.map(({ second, value }) => value - mean - rise * (second - meanX))
  const squares = sum(residuals.map((one) => one ** 2))
  const likeness = sum(residuals.slice(1).map((one, i) => one * (residuals[i] as number))) / (squares || 1)
  const r = Math.min(1, Math.max(0, likeness))
  const degrees = Math.max(1, (n * (1 - r)) / (1 + r) - 2)
  const error = Math.sqrt(squares / degrees / spread)
  return { perMinute: rise * 60, within: error * quantileOf(degrees) * 60, mean }
}

/** Student's t for 95 of 100 cases: from 3 degrees of freedom on by its expansion around the normal quantile, to 1 %. */
function quantileOf(degrees: number): number {
  if (degrees < 3) return degrees < 2 ? 12.7 : 4.3
  const z = 1.96
  return (
    z +
    (z ** 3 + z) / (4 * degrees) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * degrees ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * degrees ** 3)
  )
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

const COLUMNS = ['second', 'life', 'perSecond', 'p50Ms', 'p99Ms', 'residentMb', 'cpuMs', 'load', 'lagS'] as const

export function csvOf(samples: readonly Sample[]): string {
  return `${[COLUMNS, ...samples.map((one) => COLUMNS.map((name) => one[name]))].map((row) => row.join(',')).join('\n')}\n`
}

const [WIDTH, HEIGHT, LEFT, GAP] = [860, 150, 60, 34]

const PLOTS = [
  ['residentMb', 'resident memory of the server, MB'],
  ['cpuMs', 'processor time of the server for each request, ms'],
  ['p99Ms', '99th percentile of the time to an answer, ms'],
  ['perSecond', 'requests per second'],
  ['load', 'load average of the machine, which others share'],
] as const

/** Plots below each other; a line down marks where the server was killed. */
export function svgOf(samples: readonly Sample[]): string {
  const plots = PLOTS.map(([name, title], i) => plot(samples, name, title, i * (HEIGHT + GAP)))
  const height = PLOTS.length * (HEIGHT + GAP)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="12">
<title>A soak: ${PLOTS.map(([, title]) => title).join('; ')}</title>
<rect width="${WIDTH}" height="${height}" fill="#fff"/>
${plots.join('\n')}
</svg>
`
}

function plot(samples: readonly Sample[], name: (typeof PLOTS)[number][0], title: string, top: number): string {
  const lastS = samples.at(-1)?.second ?? 1
  const most = Math.max(...samples.map((one) => one[name])) || 1
  const x = (second: number) => (LEFT + (second / lastS) * (WIDTH - LEFT - 10)).toFixed(1)
  const y = (value: number) => (top + GAP + (1 - value / most) * (HEIGHT - GAP)).toFixed(1)
  const points = samples.map((one) => `${x(one.second)},${y(one[name])}`).join(' ')
  const kills = samples
    .filter((one, i) => i > 0 && one.life !== samples[i - 1]?.life)
    .map(({ second }) => `<path d="M${x(second)} ${y(most)}V${y(0)}" stroke="#c33" stroke-dasharray="4 3"/>`)
  return `<g><text x="${LEFT}" y="${top + 20}">${title}</text>
<text x="${LEFT - 6}" y="${y(most)}" text-anchor="end">${most < 10 ? most.toFixed(1) : Math.round(most)}</text>
<text x="${LEFT - 6}" y="${y(0)}" text-anchor="end">0</text>
<path d="M${LEFT} ${y(most)}V${y(0)}H${WIDTH - 10}" fill="none" stroke="#999"/>
${kills.join('')}<polyline points="${points}" fill="none" stroke="#246" stroke-width="1.2"/></g>`
}
