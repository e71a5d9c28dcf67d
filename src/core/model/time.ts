/**
 * World time. Instants and durations are integers of microseconds, because the service prints six decimals. Nothing
 * here reads a clock.
 */

/** Microseconds since 1970-01-01T00:00:00, on a world's clock. */
export type InstantUs = number
export type DurationUs = number

export const SECOND_US = 1_000_000
const UNIT_US: Record<string, number> = {
  ms: 1_000,
  s: SECOND_US,
  m: 60 * SECOND_US,
  h: 3_600 * SECOND_US,
  d: 86_400 * SECOND_US,
  w: 604_800 * SECOND_US,
  mo: 30 * 86_400 * SECOND_US,
}
const NUMBER = String.raw`\d+(?:\.\d+)?`
/** The parts of `1m30s`, or of ISO 8601 as in `P1DT12H`. */
const TIME_PART = `T(?:${NUMBER}[HMS])+`
export const DURATION_PATTERN = `(?:(?:${NUMBER}(?:ms|mo|s|m|h|d|w))+|P(?:(?:${NUMBER}[MWD])+(?:${TIME_PART})?|${TIME_PART}))`
const DURATION = new RegExp(`^${DURATION_PATTERN}$`)
const DURATION_PART = new RegExp(`(${NUMBER})(ms|mo|s|m|h|d|w)`, 'g')

/**
 * Reads `90s`, `1m30s`, `250ms`, `2d`, `PT1H`. A month (`1mo`, `P1M`) is 30 days. Undefined when it is no duration. Caps
 * at 285 years, where microseconds stay exact.
 */
export function parseDuration(text: string): DurationUs | undefined {
  if (text.length > 40 || !DURATION.test(text)) return undefined
  const [date = '', time = ''] = text.startsWith('P') ? text.slice(1).split('T') : ['', text]
  const parts = `${date.replace('M', 'mo')}${time}`.toLowerCase()
  let total = 0
  for (const [, count, unit] of parts.matchAll(DURATION_PART)) total += Number(count) * (UNIT_US[unit ?? ''] ?? 0)
  return Math.min(Math.round(total), Number.MAX_SAFE_INTEGER)
}

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const

export function formatDuration(durationUs: DurationUs): string {
  let rest = Math.round(durationUs / 1000)
  if (rest <= 0) return '0s'
  let text = ''
  for (const [unit, ms] of UNITS) {
    const count = Math.floor(rest / ms)
    if (count > 0) text += `${count}${unit}`
    rest -= count * ms
  }
  return text
}

const INSTANT = /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?(Z|[+-]\d{2}:\d{2})?$/

/** Reads ISO 8601; without a zone as UTC. Undefined when it is none. */
export function parseInstant(text: string): InstantUs | undefined {
  const match = INSTANT.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match
  const ms = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`)
  if (Number.isNaN(ms)) return undefined
  if (new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() !== Number(day)) return undefined
  return ms * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6))
}

export function hasZone(text: string): boolean {
  return INSTANT.exec(text)?.[8] !== undefined
}

/** The form of the service: six decimals and no zone, `2025-01-24T16:28:00.319643`. */
export function formatInstant(instantUs: InstantUs): string {
  const ms = Math.floor(instantUs / 1000)
  const micros = instantUs - ms * 1000
  return new Date(ms).toISOString().slice(0, 23) + String(micros).padStart(3, '0')
}

/**
 * The form of the control plane. It has a zone, so that no program reads it as local time:
 * `2025-01-24T16:28:00.319643Z`.
 */
export function isoInstant(instantUs: InstantUs): string {
  return `${formatInstant(instantUs)}Z`
}

export function httpDate(instantUs: InstantUs): string {
  return new Date(Math.floor(instantUs / 1000)).toUTCString()
}

/** For sentences, to the millisecond, without trailing zeros: `2025-01-24T16:28:02.5`. */
export function momentText(instantUs: InstantUs): string {
  return formatInstant(instantUs)
    .slice(0, 23)
    .replace(/\.?0+$/, '')
}

/** After 2255-06-05, microseconds are no longer exact integers. */
export const LAST_INSTANT_US: InstantUs = Date.UTC(2255, 0, 1) * 1000

export const WORLD_INSTANT = 'a time from 1970 to 2254, such as 2025-01-24T16:28:00'

export function parseWorldInstant(text: string): InstantUs | undefined {
  const instantUs = parseInstant(text)
  return instantUs !== undefined && instantUs >= 0 && instantUs < LAST_INSTANT_US ? instantUs : undefined
}

export const clockModes = ['realtime', 'scaled', 'frozen'] as const
export type ClockMode = (typeof clockModes)[number]

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
    return count === 0 ? '' : `${count} ${unit === 'm' ? 'min' : unit}`
  })
  return told.filter(Boolean).join(' ')
}

/** Two units or more. Skips words, ids, quoted values and ranges, which a reader may want to copy. */
const COMPOUND = /(?<![\w"'.-])(?:\d+(?:ms|[dhms])){2,}(?![\w"'-]|\.\.)/g

export function withShortDurations(text: string): string {
  return text.replaceAll(COMPOUND, (exact) => {
    const durationUs = parseDuration(exact)
    return durationUs === undefined ? exact : shortDuration(durationUs)
  })
}
