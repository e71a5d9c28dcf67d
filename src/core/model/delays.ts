import * as z from 'zod'
import { DAY_US } from './calendar.ts'
import type { Draw } from './chance.ts'
import { checked, described, optional } from './problems.ts'
import { DURATION_PATTERN, type DurationUs, formatDuration, parseDuration } from './time.ts'

export type BankingUnit = 'days' | 'hours'

export interface Delay {
  fromUs: DurationUs
  toUs: DurationUs
  /**
   * Log-normal: half of the draws are below the median and a few are much longer, as real delays are. Uniform when left
   * out.
   */
  lognormal?: { medianUs: DurationUs; p95Us: DurationUs }
  banking?: BankingUnit
}

type SpreadFile = z.infer<typeof spread>

/** A hundred years: longer than any test needs, and the year still has four digits. */
const LONGEST_US = 36_525 * 86_400_000_000
/** Caps a draw at ten times the 95th percentile, because a log-normal has no upper end. */
const LONGEST_DRAW = 10

const COUNT = String.raw`\d+(?:\.\d+)?`
const BANKING = new RegExp(`^(${COUNT})(?:\\.\\.(${COUNT}))? banking (day|hour)s?$`)
const LONGEST_BANKING_DAYS = 1000
const HOUR_US = 3_600_000_000

function parseBanking(written: string): Delay | string | undefined {
  const [, from, to = from, unit] = BANKING.exec(written) ?? []
  if (from === undefined) return undefined
  const unitUs = unit === 'day' ? DAY_US : HOUR_US
  const [fromUs, toUs] = [Math.round(Number(from) * unitUs), Math.round(Number(to) * unitUs)]
  if (toUs < fromUs) return `"${written}" ends before it begins. Write the smaller number first.`
  if (toUs > LONGEST_BANKING_DAYS * DAY_US) return `"${written}" is longer than ${LONGEST_BANKING_DAYS} banking days.`
  return { fromUs, toUs, banking: unit === 'day' ? 'days' : 'hours' }
}

function parseSettlement(written: string | SpreadFile): Delay | string {
  return (typeof written === 'string' ? parseBanking(written) : undefined) ?? parseDelay(written)
}

/** Takes a text or spread that its schema has checked. */
export function delayOf(written: string | SpreadFile): Delay {
  const delay = parseSettlement(written)
  return typeof delay === 'string' ? { fromUs: 0, toUs: 0 } : delay
}

/** Reads `4s`, `30s..2m` or `{ median: 20s, p95: 3m }`. Returns a text that says what is impossible. */
export function parseDelay(written: string | SpreadFile): Delay | string {
  if (typeof written !== 'string') return parseSpread(written)
  const [from = '', to = from] = written.split('..')
  const fromUs = parseDuration(from)
  const toUs = parseDuration(to)
  if (fromUs === undefined || toUs === undefined)
    return `"${written}" is not a length of time. Write it like 4s, 1m30s or 30s..2m.`
  if (toUs > LONGEST_US || fromUs > LONGEST_US)
    return `"${written}" is longer than 100 years. Write never if it is not to happen.`
  if (toUs < fromUs) return `"${written}" ends before it begins. Write the shorter time first: ${to}..${from}.`
  return { fromUs, toUs }
}

function parseSpread({ median, p95 }: SpreadFile): Delay | string {
  const medianUs = parseDuration(median)
  const p95Us = parseDuration(p95)
  if (medianUs === undefined || p95Us === undefined)
    return `"${medianUs === undefined ? median : p95}" is not a length of time. Write it like 4s or 1m30s.`
  if (medianUs === 0) return 'The median is 0s. Write the time that half of them are shorter than, such as 20s.'
  if (p95Us < medianUs)
    return `Half are shorter than ${median} and 95 of a hundred shorter than ${p95}, which is less. Write the longer time as p95.`
  if (p95Us * LONGEST_DRAW > LONGEST_US)
    return `"${p95}" can draw more than 100 years. Write never if it is not to happen.`
  if (p95Us === medianUs) return { fromUs: medianUs, toUs: medianUs }
  return { fromUs: 0, toUs: p95Us * LONGEST_DRAW, lognormal: { medianUs, p95Us } }
}

export function printDelay(delay: Delay | null): string {
  if (delay === null) return 'never'
  if (delay.banking) return printBanking(delay, delay.banking)
  if (delay.fromUs === delay.toUs) return formatDuration(delay.fromUs)
  if (delay.lognormal)
    return `about ${formatDuration(delay.lognormal.medianUs)} (95 of 100 within ${formatDuration(delay.lognormal.p95Us)})`
  return `${formatDuration(delay.fromUs)}..${formatDuration(delay.toUs)}`
}

function printBanking({ fromUs, toUs }: Delay, unit: BankingUnit): string {
  const [from, to] = [fromUs, toUs].map((us) => us / (unit === 'days' ? DAY_US : HOUR_US))
  const count = from === to ? `${from}` : `${from}..${to}`
  return `${count} banking ${count === '1' ? unit.slice(0, -1) : unit}`
}

const RANGE = String.raw`${DURATION_PATTERN}(?:\.\.${DURATION_PATTERN})?`
const BANKING_TIME = String.raw`${COUNT}(?:\.\.${COUNT})? banking (?:day|hour)s?`

export const durationSchema = described(
  z.string().regex(new RegExp(`^${DURATION_PATTERN}$`)),
  'a duration such as 4s, 1m30s or 2d (ms, s, m, h, d, w)',
  '10s',
  '1m30s',
  '2d',
)

const spread = described(
  z.strictObject({ median: durationSchema, p95: durationSchema }),
  'a log-normal draw: half are shorter than the median, and 95 of a hundred shorter than p95',
  { median: '20s', p95: '3m' },
)

function drawn(patterns: readonly string[], description: string, examples: readonly string[]) {
  const written = z.union([z.string().regex(new RegExp(`^(?:${patterns.join('|')})$`)), spread])
  const possible = checked(written, (one, tell) => {
    const delay = one === 'never' ? undefined : parseSettlement(one)
    if (typeof delay === 'string') tell(delay)
  })
  return described(possible, description, ...examples, { median: '20s', p95: '3m' })
}

export const delay = drawn([RANGE], 'a duration such as 4s, or a range such as 30s..2m', ['4s', '30s..2m', '2d'])
export const delayOrNever = drawn(['never', RANGE], 'a duration such as 4s, a range such as 30s..2m, or never', [
  '4s',
  '30s..2m',
  'never',
])
const bankingDescription =
  'a duration such as 4s, a range such as 30s..2m, or banking time such as 1..3 banking days or 4 banking hours'
export const settlement = drawn([RANGE, BANKING_TIME], bankingDescription, [
  '2d',
  '1..3 banking days',
  '4 banking hours',
])
export const settlementOrNever = drawn(['never', RANGE, BANKING_TIME], `${bankingDescription}, or never`, [
  '4s',
  '30s..2m',
  '1..3 banking days',
  'never',
])

export const retry = (backoff: string[], description: string) =>
  z
    .strictObject({
      attempts: optional(z.int().min(1).max(100), 'attempts in all, the first included'),
      backoff: optional(
        z.array(durationSchema).min(1).max(100),
        'simulated time before the second, third … attempt; the last repeats',
        backoff,
      ),
    })
    .describe(description)

const MILLISECOND_US = 1_000
/** Standard deviations above the mean: the 95th percentile of a normal distribution. */
const P95_DEVIATIONS = 1.6448536269514722

/** A range is uniform, in milliseconds. */
export function drawDelay(delay: Delay, draw: () => Draw): DurationUs {
  if (delay.fromUs === delay.toUs) return delay.fromUs
  if (delay.lognormal) {
    const { medianUs, p95Us } = delay.lognormal
    const deviations = (Math.log(p95Us / medianUs) / P95_DEVIATIONS) * normal(draw())
    const drawn = Math.round((medianUs * Math.exp(deviations)) / MILLISECOND_US) * MILLISECOND_US
    return Math.min(delay.toUs, Math.max(delay.fromUs, drawn))
  }
  const steps = Math.floor((delay.toUs - delay.fromUs) / MILLISECOND_US)
  return delay.fromUs + Math.floor(draw().unit() * (steps + 1)) * MILLISECOND_US
}

function normal(draw: Draw): number {
  return Math.sqrt(-2 * Math.log(1 - draw.unit())) * Math.cos(2 * Math.PI * draw.unit())
}
