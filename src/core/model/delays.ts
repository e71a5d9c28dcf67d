import * as z from 'zod'
import type { Draw } from './chance.ts'
import { checked, described } from './problems.ts'
import { DURATION_PATTERN, type DurationUs, parseDuration } from './time.ts'

interface Delay {
  fromUs: DurationUs
  toUs: DurationUs
}

/** A hundred years: longer than any test needs, and the year still has four digits. */
const LONGEST_US = 36_525 * 86_400_000_000

/** Takes a text that its schema has checked. */
function delayOf(written: string): Delay {
  const delay = parseDelay(written)
  return typeof delay === 'string' ? { fromUs: 0, toUs: 0 } : delay
}

/** Reads `4s` or `30s..2m`. Returns a text that says what is impossible. */
function parseDelay(written: string): Delay | string {
  const [from = '', to = from] = written.split('..')
  const fromUs = parseDuration(from)
  const toUs = to === from ? fromUs : parseDuration(to)
  if (fromUs === undefined || toUs === undefined)
    return `"${written}" is not a length of time. Write it like 4s, 1m30s or 30s..2m.`
  if (toUs > LONGEST_US || fromUs > LONGEST_US)
    return `"${written}" is longer than 100 years. Write never if it is not to happen.`
  if (toUs < fromUs) return `"${written}" ends before it begins. Write the shorter time first: ${to}..${from}.`
  return { fromUs, toUs }
}

export function longestOf(written: string): DurationUs {
  return delayOf(written).toUs
}

const RANGE = String.raw`${DURATION_PATTERN}(?:\.\.${DURATION_PATTERN})?`

export const durationSchema = described(
  z.string().regex(new RegExp(`^${DURATION_PATTERN}$`)),
  'a duration such as 4s, 1m30s or 2d (ms, s, m, h, d, w)',
  '10s',
  '1m30s',
  '2d',
)

function drawn(pattern: string, description: string, ...examples: string[]) {
  const possible = checked(z.string().regex(new RegExp(`^(?:${pattern})$`)), (one, tell) => {
    const delay = one === 'never' ? undefined : parseDelay(one)
    if (typeof delay === 'string') tell(delay)
  })
  return described(possible, description, ...examples)
}

export const delay = drawn(RANGE, 'a duration such as 4s, or a range such as 30s..2m', '4s', '30s..2m', '2d')
export const delayOrNever = drawn(
  `never|${RANGE}`,
  'a duration such as 4s, a range such as 30s..2m, or never',
  '4s',
  '30s..2m',
  'never',
)

const MILLISECOND_US = 1_000
export function drawDelay(written: string, draw: () => Draw): DurationUs {
  const exactUs = parseDuration(written)
  if (exactUs !== undefined) return exactUs
  const { fromUs, toUs } = delayOf(written)
  const steps = Math.floor((toUs - fromUs) / MILLISECOND_US)
  return fromUs + Math.floor(draw().unit() * (steps + 1)) * MILLISECOND_US
}
