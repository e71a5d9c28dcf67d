import { type DomainEvent, eventsOf, type WorldEvent } from '../../client/control.ts'
import { withPlainTimes } from '../../core/model/calendar.ts'
import { must } from '../../core/model/must.ts'
import { operationCommand } from './declared-commands.ts'
import type { Output } from './output.ts'
import { table } from './table.ts'
import { shownZone, time } from './words.ts'

export const eventsCommand = operationCommand('event.stream', {
  about: 'Each event is one line, or one JSON document with --json. Stop it with Ctrl-C.',
  ask: async ({ given, output, send }) => {
    for await (const event of eventsOf(must((await send()).body)))
      output.out(given.has('json') ? `${JSON.stringify(event)}\n` : eventLine(event, output))
    output.error('The world was closed.')
    return undefined
  },
})

export type ShownEvent = DomainEvent | WorldEvent

/** A stream has no end, so it is printed line by line with `eventLine` instead. */
export function eventTable(happened: readonly ShownEvent[], output: Output): string {
  return table(
    happened,
    [
      { title: 'AT', of: ({ at }) => time(at) },
      { title: 'WHAT', of: ({ type }) => type },
      { title: 'HOW', of: ({ says }) => says, least: 20 },
      { title: 'ABOUT', of: (one) => subject(one), spare: 1 },
    ],
    output,
  )
}

export function eventLine(one: ShownEvent, { paint }: Output): string {
  return `${paint('dim', time(one.at))}  ${one.type.padEnd(8)}  ${`${withPlainTimes(one.says, shownZone())}  ${subject(one)}`.trim()}\n`
}

function subject(one: ShownEvent): string {
  if (one.type === 'payment') return one.payment?.uuid ?? 'removed since'
  if (one.type === 'callback') return one.callback?.payment ?? ''
  return one.type === 'request' ? one.request.requestId : ''
}
