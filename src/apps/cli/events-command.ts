/** `mfano events`: streams events as they happen. */
import { type DomainEvent, eventsOf, type WorldEvent } from '../../client/control.ts'
import { must } from '../../core/model/must.ts'
import { operationCommand } from './declared-commands.ts'
import type { Output } from './output.ts'
import { table } from './table.ts'
import { amountText, httpStatus, state, time } from './words.ts'

export const eventsCommand = operationCommand('event.stream', {
  about: 'Each event is one line, or one JSON document with --json. Stop it with Ctrl-C.',
  ask: async ({ given, output, send }) => {
    for await (const event of eventsOf(must((await send()).body)))
      output.out(given.has('json') ? `${JSON.stringify(event)}\n` : eventLine(event, output))
    output.error('The world was closed.')
    return undefined
  },
})

// Prints events, one line each.

export type ShownEvent = DomainEvent | WorldEvent

/** A stream has no end, so it is printed line by line with `eventLine` instead. */
export function eventTable(happened: readonly ShownEvent[], output: Output): string {
  return table(
    happened,
    [
      { title: 'AT', of: ({ at }) => time(at) },
      { title: 'WHAT', of: ({ type }) => type },
      { title: 'ABOUT', of: (one) => subject(one), least: 12 },
      { title: 'HOW', of: (one) => inWords(one, (_, text) => text), least: 20 },
    ],
    output,
  )
}

export function eventLine(one: ShownEvent, { paint }: Output): string {
  return `${paint('dim', time(one.at))}  ${one.type.padEnd(8)}  ${subject(one)}  ${inWords(one, paint)}\n`
}

function subject(one: ShownEvent): string {
  switch (one.type) {
    case 'payment':
      return one.payment ? `${one.payment.kind} ${one.payment.uuid}` : 'removed since'
    case 'callback':
      return one.callback ? `${one.callback.topic} ${one.callback.payment ?? ''}` : 'removed since'
    case 'request':
      return `${one.request.method} ${one.request.path}`
    case 'inbox':
      return one.inbox
    case 'wallet':
      return one.wallet.currency
    default:
      return ''
  }
}

function inWords(one: ShownEvent, paint: Output['paint']): string {
  switch (one.type) {
    case 'payment': {
      const { payment, from, to, by } = one
      const worth = payment ? `, ${amountText(payment.amount, payment.currency)}` : ''
      return `${from === to ? 'stays ' : from === null ? '' : `${from} to `}${state(to, paint)} by ${by}${worth}`
    }
    case 'callback': {
      const { callback, attempt } = one
      const told = callback ? `callback ${callback.id} ${state(callback.state, paint)}` : ''
      if (!attempt) return told
      const answered = attempt.status === null ? 'no answer' : httpStatus(String(attempt.status), paint)
      return `${told}, attempt ${attempt.number}: ${answered}${attempt.error === null ? '' : `, ${attempt.error}`}`
    }
    case 'request':
      return `${httpStatus(String(one.request.status), paint)}${one.request.rule === null ? '' : `, rule: ${one.request.rule}`}`
    case 'inbox':
      return `message ${one.message?.id ?? ''}`
    case 'clock':
      return `${one.clock.mode}, from ${time(one.from)}`
    case 'scenario':
      return `${one.scenario} applies to new payments`
    case 'wallet':
      return `${amountText(one.amount, one.wallet.currency)} added, ${amountText(one.wallet.available, one.wallet.currency)} available`
    case 'gap':
      return one.why
  }
}
