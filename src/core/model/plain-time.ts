/** Times for people: `24 Jan 2025, 19:28:00 EAT`. Programs get ISO 8601. */
import { offsetText, UTC, type Zone } from './calendar.ts'
import { must } from './must.ts'
import { formatInstant, type InstantUs, parseInstant } from './time.ts'

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const SHORT_NAMES: Readonly<Record<string, string>> = { Z: 'UTC', '+03:00': 'EAT' }
const OFFSETS = Object.fromEntries(Object.entries(SHORT_NAMES).map(([offset, name]) => [name, offset]))
const PLAIN = /^(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}), (\d\d:\d\d:\d\d) ([A-Z]{3}|\+\d\d:\d\d)$/
/** Skips quoted values and addresses, which somebody may copy. A time without a zone is one that somebody types. */
const INSTANT = /(?<![\w"'/=])\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)(?![\w"'])/g

/** To the second. */
export function plainTime(atUs: InstantUs, zone: Zone): string {
  const [, year, month, day, clock] = must(
    /^(\d+)-(\d\d)-(\d\d)T(\d\d:\d\d:\d\d)/.exec(formatInstant(atUs + zone.offsetUs)),
  )
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}, ${clock} ${shortName(offsetText(zone))}`
}

function shortName(offset: string): string {
  return SHORT_NAMES[offset] ?? offset
}

/** Rewrites the instants of a sentence. `zone` shows those in UTC; an offset is kept as it is. */
export function withPlainTimes(text: string, zone: Zone = UTC): string {
  return text.replaceAll(INSTANT, (instant) => {
    const [, hours = '0', minutes = '0'] = /\+(\d\d):(\d\d)$/.exec(instant) ?? []
    const offsetUs = (Number(hours) * 60 + Number(minutes)) * 60_000_000
    const atUs = parseInstant(instant)
    if (atUs === undefined || /-\d\d:\d\d$/.test(instant)) return instant
    return plainTime(atUs, offsetUs === 0 ? zone : { name: '', offsetUs })
  })
}

/** ISO 8601 for what a table shows, so that it can be typed; any other text as it is. */
export function typedTime(text: string): string {
  const [, day = '', month = '', year, clock, zone = ''] = PLAIN.exec(text) ?? []
  const number = MONTHS.indexOf(month) + 1
  if (number === 0) return text
  const digits = (part: string | number) => String(part).padStart(2, '0')
  return `${year}-${digits(number)}-${digits(day)}T${clock}${OFFSETS[zone] ?? zone}`
}
