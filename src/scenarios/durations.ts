/** Delays of a rule: a length of world time, a range to draw from, or never. */
import type { Draw } from '../model/chance.ts'
import { type DurationUs, formatDuration, parseDuration } from '../model/time.ts'

/** From the shortest to the longest, both included; equal when there is nothing to draw. */
export interface Delay {
  fromUs: DurationUs
  toUs: DurationUs
}

/** A hundred years: longer than any rehearsal, and still a date with four digits. */
const LONGEST_US = 36_525 * 86_400_000_000
const MILLISECOND_US = 1_000

const ONE = String.raw`(?:\d+(?:\.\d+)?(?:ms|s|m|h|d|w))+`
/** Text forms, for the schema. */
export const durationPattern = new RegExp(`^${ONE}$`)
export const delayPattern = new RegExp(`^${ONE}(?:\\.\\.${ONE})?$`)
export const delayOrNeverPattern = new RegExp(`^(?:never|${ONE}(?:\\.\\.${ONE})?)$`)

/** Reads `4s` or `30s..2m`; a text instead when it says something impossible. */
export function parseDelay(text: string): Delay | string {
  const [from = '', to = from] = text.split('..')
  const fromUs = parseDuration(from)
  const toUs = parseDuration(to)
  if (fromUs === undefined || toUs === undefined)
    return `"${text}" is not a length of time. Write it like 4s, 1m30s or 30s..2m.`
  if (toUs > LONGEST_US || fromUs > LONGEST_US)
    return `"${text}" is longer than 100 years. Write never if it is not to happen.`
  if (toUs < fromUs) return `"${text}" ends before it begins. Write the shorter time first: ${to}..${from}.`
  return { fromUs, toUs }
}

/** One delay of the range, each millisecond as likely as another. */
export function drawDelay(delay: Delay, draw: () => Draw): DurationUs {
  if (delay.fromUs === delay.toUs) return delay.fromUs
  const steps = Math.floor((delay.toUs - delay.fromUs) / MILLISECOND_US)
  return delay.fromUs + Math.floor(draw().unit() * (steps + 1)) * MILLISECOND_US
}

/** `4s`, `30s..2m`, `never`. */
export function printDelay(delay: Delay | null): string {
  if (delay === null) return 'never'
  if (delay.fromUs === delay.toUs) return formatDuration(delay.fromUs)
  return `${formatDuration(delay.fromUs)}..${formatDuration(delay.toUs)}`
}
