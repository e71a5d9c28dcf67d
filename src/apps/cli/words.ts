/** Small words that every answer for people is made of. */
import { type Zone, zonedText } from '../../core/model/calendar.ts'
import { oneLine } from '../../core/model/one-line.ts'
import { parseInstant } from '../../core/model/time.ts'
import type { Paint } from './output.ts'
import { shownZone } from './shown-zone.ts'

export { counted as count } from '../../core/model/counted.ts'

/** A time to the second, as clocks show it in the zone of the world that was asked, with its distance from UTC; `-` where there is none. */
export function time(instant: string | null, zone: Zone = shownZone()): string {
  return instant === null ? '-' : zonedText(parseInstant(instant.slice(0, 19)) as number, zone)
}

/** `1,000.00`. */
export function amountText(major: number): string {
  return major.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
}

/** A number of bytes: `1.5 MB`. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const [unit, divisor] = bytes < 1_000_000 ? ['kB', 1000] : ['MB', 1_000_000]
  return `${(bytes / divisor).toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`
}

/** The state of a payment or a callback: green for a good end, red for a bad one, yellow while it lasts. */
export function state(text: string, paint: Paint): string {
  const good = ['SUCCESS', 'SUCCEEDED', 'delivered']
  const bad = ['FAILED', 'CANCELLED', 'EXPIRED', 'failed', 'dropped']
  const word = text.trim()
  return paint(good.includes(word) ? 'green' : bad.includes(word) ? 'red' : 'yellow', text)
}

/** An HTTP status: green when it is one of success. */
export function httpStatus(text: string, paint: Paint): string {
  return paint(/^\s*2/.test(text) ? 'green' : /^\s*[13]/.test(text) ? 'yellow' : 'red', text)
}

/** Names and values below each other; those that are null are left out. */
export function factLines(
  pairs: readonly (readonly [name: string, value: string | number | null | undefined])[],
  paint: Paint,
): string {
  const told = pairs.filter(([, value]) => value !== null && value !== undefined && value !== '')
  const width = Math.max(...told.map(([name]) => name.length))
  return told.map(([name, value]) => `${paint('dim', name.padEnd(width))}  ${oneLine(String(value))}\n`).join('')
}

/** One word for a POSIX shell, whatever is in it. */
export function shellWord(text: string): string {
  return /^[\w:/.@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** A part of a longer answer, under its title. */
export function section(title: string, text: string, paint: Paint): string {
  return text === '' ? '' : `\n${paint('bold', title)}\n${text}`
}

/** JSON on lines that are indented, below a title. */
export function indented(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return `${text
    .split('\n')
    .map((line) => `  ${oneLine(line)}`)
    .join('\n')}\n`
}

/** What to type for the same server and world as now. */
export function hint(command: string, given: { get(flag: string): string | undefined }): string {
  const flags = ['url', 'world'].flatMap((flag) =>
    given.get(flag) === undefined ? [] : [`--${flag} ${given.get(flag)}`],
  )
  return ['mfano', command, ...flags].join(' ')
}
