/** Durations for people, at most two units: `1 d 23 h` for `1d23h57m10s713ms`. */
import { type DurationUs, parseDuration } from './time.ts'

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const
const SECOND_MS = 1_000
const MINUTE_MS = 60_000

export function shortDuration(durationUs: DurationUs): string {
  const ms = Math.max(0, Math.round(durationUs / 1000))
  if (ms === 0) return '0 s'
  if (ms < SECOND_MS) return `${ms} ms`
  if (ms < MINUTE_MS) return `${Math.floor(ms / 100) / 10} s`
  const at = UNITS.findIndex(([, unitMs]) => ms >= unitMs)
  let rest = ms
  const told = UNITS.slice(at, at + 2).map(([unit, unitMs]) => {
    const count = Math.floor(rest / unitMs)
    rest -= count * unitMs
    return count === 0 ? '' : `${count} ${unit}`
  })
  return told.filter(Boolean).join(' ')
}

export interface ShortenedDuration {
  exact: string
  short: string
}

/** Two units or more. Skips words, ids, quoted values and ranges, which a reader may want to copy. */
const COMPOUND = /(?<![\w"'.-])((?:\d+(?:ms|[dhms])){2,})(?![\w"'-]|\.\.)/

export function splitAtDurations(text: string): (string | ShortenedDuration)[] {
  return text.split(COMPOUND).map((piece, i) => {
    // Every second piece is what the pattern's group matched.
    const durationUs = i % 2 === 1 ? parseDuration(piece) : undefined
    return durationUs === undefined ? piece : { exact: piece, short: shortDuration(durationUs) }
  })
}

export function withShortDurations(text: string): string {
  return splitAtDurations(text)
    .map((piece) => (typeof piece === 'string' ? piece : piece.short))
    .join('')
}
