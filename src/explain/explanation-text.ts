/** An explanation as text for people. */
import { MINUTE_US, zonedText } from '../model/calendar.ts'
import { oneLine } from '../model/one-line.ts'
import { withShortDurations } from '../model/short-duration.ts'
import { parseInstant } from '../model/time.ts'
import type { Explained } from './explain-payment.ts'

/** So many rules that did not decide are told one by one: those of the scenario itself stand before those it extends. */
const RULES_TOLD = 5

/**
 * An explanation for people: the chain line by line with simulated times, then why it stopped and what to do. Takes what
 * `GET /_mfano/payments/{uuid}/explain` gives, on whichever side of the wire; no colours.
 */
export function explanationText({ payment, timezone, story, stopped }: Explained): string {
  const { kind, uuid, status, amount, currency } = payment
  const zone = { name: timezone.name, offsetUs: timezone.offsetMinutes * MINUTE_US }
  const moments = story.map(({ at }) => zonedText(parseInstant(at) as number, zone))
  const times = Math.max(...moments.map(({ length }) => length))
  const stations = Math.max(...story.map(({ station }) => station.length))
  const lines = story.flatMap((link, i) => {
    const time = moments[i] === moments[i - 1] ? '' : moments[i]
    const begin = `${(time ?? '').padEnd(times)}  ${link.station.padEnd(stations)}  `
    const more = 'passed' in link ? folded(link.passed) : []
    return [begin + people(link.text), ...more.map((line) => ' '.repeat(begin.length) + people(line))]
  })
  const next = stopped.next.map((line) => `  ${people(line)}`)
  return [
    `${kind} ${uuid}, ${amount} ${currency}: ${status}`,
    '',
    ...lines,
    '',
    `Stopped: ${people(stopped.why)}`,
    ...(next.length > 0 ? ['Next:', ...next] : []),
    '',
  ].join('\n')
}

function people(text: string): string {
  return withShortDurations(oneLine(text))
}

function folded(passed: readonly { rule: string; why: string }[]): string[] {
  // A line that says "one more" would be no shorter than that one.
  const told = passed.length > RULES_TOLD + 1 ? RULES_TOLD : passed.length
  const lines = passed.slice(0, told).map(({ rule, why }) => `- not "${rule}": ${why}`)
  return told === passed.length ? lines : [...lines, `- nor ${passed.length - told} more, which the JSON form lists`]
}
