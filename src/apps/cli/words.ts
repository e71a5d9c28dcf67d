import { AsyncLocalStorage } from 'node:async_hooks'
import type { Control } from '../../client/control.ts'
import { offsetText, plainTime, toldZone, UTC, type Zone, zoneIn } from '../../core/model/calendar.ts'
import { moneyText } from '../../core/model/money.ts'
import { must } from '../../core/model/must.ts'
import { oneLine } from '../../core/model/text.ts'
import { hasZone, parseInstant } from '../../core/model/time.ts'
import type { Paint } from './output.ts'

export { counted as count } from '../../core/model/text.ts'

/** To the second, in the world's zone. `-` for null. */
export function time(instant: string | null, zone: Zone = shownZone()): string {
  return instant === null ? '-' : plainTime(must(parseInstant(instant)), zone)
}

export function amountText(major: number, currency: string): string {
  return moneyText(Math.round(major * 100), currency)
}

export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const [unit, divisor] = bytes < 1_000_000 ? ['kB', 1000] : ['MB', 1_000_000]
  return `${(bytes / divisor).toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`
}

export function state(text: string, paint: Paint): string {
  const good = ['SUCCESS', 'SUCCEEDED', 'delivered']
  const bad = ['FAILED', 'CANCELLED', 'EXPIRED', 'failed', 'dropped']
  const word = text.trim()
  return paint(good.includes(word) ? 'green' : bad.includes(word) ? 'red' : 'yellow', text)
}

export function httpStatus(text: string, paint: Paint): string {
  return paint(/^\s*2/.test(text) ? 'green' : /^\s*[13]/.test(text) ? 'yellow' : 'red', text)
}

export function factLines(
  pairs: readonly (readonly [name: string, value: string | number | null | undefined])[],
  paint: Paint,
): string {
  const told = pairs.filter(([, value]) => value !== null && value !== undefined && value !== '')
  const width = Math.max(...told.map(([name]) => name.length))
  return told.map(([name, value]) => `${paint('dim', name.padEnd(width))}  ${oneLine(String(value))}\n`).join('')
}

export function shellWord(text: string): string {
  return /^[\w:/.@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

export function section(title: string, text: string, paint: Paint): string {
  return text === '' ? '' : `\n${paint('bold', title)}\n${text}`
}

export function indented(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return `${text
    .split('\n')
    .map((line) => `  ${oneLine(line)}`)
    .join('\n')}\n`
}

export function hint(command: string, given: { get(flag: string): string | undefined }): string {
  const flags = ['url', 'world'].flatMap((flag) =>
    given.get(flag) === undefined ? [] : [`--${flag} ${given.get(flag)}`],
  )
  return ['mfano', command, ...flags].join(' ')
}

// Tests run several commands at once in one process.
const asked = new AsyncLocalStorage<{ zone: Zone }>()

export function withZone<Result>(command: () => Promise<Result>): Promise<Result> {
  return asked.run({ zone: UTC }, command)
}

export function hearZone(headers: Pick<Headers, 'get'>): void {
  const store = asked.getStore()
  if (store) store.zone = zoneIn(headers) ?? store.zone
}

export function shownZone(): Zone {
  return asked.getStore()?.zone ?? UTC
}

export async function inZoneOf(control: Control, typed: string): Promise<string> {
  return hasZone(typed) ? typed : typed + offsetText(toldZone((await control('GET', '/clock')).timezone))
}
