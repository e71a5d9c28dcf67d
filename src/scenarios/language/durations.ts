/** Delays of a rule: a length of world time, a range or a distribution to draw from, or never. */
import { type DurationUs, formatDuration, parseDuration } from '../../model/time.ts'

/** From the shortest to the longest, both included; equal when there is nothing to draw. */
export interface Delay {
  fromUs: DurationUs
  toUs: DurationUs
  /** Log-normal between the two: half are shorter than the median, and few are much longer. Evenly when left out. */
  lognormal?: { medianUs: DurationUs; p95Us: DurationUs }
}

/** A log-normal delay as a file says it. */
export interface SpreadFile {
  median: string
  p95: string
}

/** A hundred years: longer than any rehearsal, and still a date with four digits. */
const LONGEST_US = 36_525 * 86_400_000_000
/** No draw is longer than ten times what 95 of a hundred are shorter than. */
const LONGEST_DRAW = 10

const ONE = String.raw`(?:\d+(?:\.\d+)?(?:ms|s|m|h|d|w))+`
/** Text forms, for the schema. */
export const durationPattern = new RegExp(`^${ONE}$`)
export const delayPattern = new RegExp(`^${ONE}(?:\\.\\.${ONE})?$`)
export const delayOrNeverPattern = new RegExp(`^(?:never|${ONE}(?:\\.\\.${ONE})?)$`)

/** Reads `4s`, `30s..2m` or `{ median: 20s, p95: 3m }`; a text instead when it says something impossible. */
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

/** `4s`, `30s..2m`, `about 20s (95 of 100 within 3m)`, `never`. */
export function printDelay(delay: Delay | null): string {
  if (delay === null) return 'never'
  if (delay.fromUs === delay.toUs) return formatDuration(delay.fromUs)
  if (delay.lognormal)
    return `about ${formatDuration(delay.lognormal.medianUs)} (95 of 100 within ${formatDuration(delay.lognormal.p95Us)})`
  return `${formatDuration(delay.fromUs)}..${formatDuration(delay.toUs)}`
}
