import type { Advanced, ClockState, Settled } from '../../client/control.ts'
import { parseDuration, parseInstant } from '../../core/model/time.ts'
import { CLEAN, PROBLEMS, UsageError } from './command.ts'
import { type ByHand, nounGroup } from './declared-commands.ts'
import { eventTable } from './events-command.ts'
import type { Output } from './output.ts'
import { count, inZoneOf, section, time } from './words.ts'

function advancedText(advanced: Advanced, output: Output): string {
  return [
    inShort(advanced, output),
    section('What happened', listed(advanced, output), output.paint),
    breakpoint(advanced, output),
  ].join('')
}

function inShort({ now, steps, callbacks: { delivered, failed }, ended }: Advanced, { paint }: Output): string {
  const told = `${count(steps, 'step')}, ${count(delivered, 'callback')} delivered`
  const lost = failed > 0 ? `, ${paint('red', `${failed.toLocaleString('en')} failed`)}` : ''
  return `${paint('bold', time(now))}  ${told}${lost}; ${ended}\n`
}

function listed({ happened = [], counts = {} }: Pick<Advanced, 'happened' | 'counts'>, output: Output): string {
  if (happened.length === 0) return ''
  const total = Object.values(counts).reduce((sum, one) => sum + one, 0)
  const rest = total > happened.length ? `the first ${happened.length} of ${total}\n` : ''
  return eventTable(happened, output) + rest
}

function breakpoint({ matched }: Advanced, output: Output): string {
  return matched ? section('The breakpoint held for', eventTable([matched], output), output.paint) : ''
}

const advance: ByHand<Advanced> = {
  words: 'DURATION|TIME',
  fields: ['by|to'],
  about: 'The clock stops at each due event and waits until its callbacks are delivered.',
  exits: { 0: 'the target was reached, or the condition of --until held', 1: 'it stopped earlier' },
  ask: async ({ server, given, send }) => {
    const [text = ''] = given.words
    if (parseDuration(text) !== undefined) return send({ by: text })
    if (parseInstant(text) !== undefined) return send({ to: await inZoneOf(server.control, text) })
    throw new UsageError(
      `Expected a duration such as 90s, 5m or 2d, or a time such as 2025-01-31T18:00:00, got ${JSON.stringify(text)}.`,
    )
  },
  show: advancedText,
  verdict: (advanced) => verdict(advanced, 'the target is reached'),
}

const settle: ByHand<Settled> = {
  about: 'It prints what happened and which payments are still open.',
  exits: { 0: 'nothing is due, or the condition of --until held', 1: 'it stopped earlier' },
  show: advancedText,
  verdict: (settled) => verdict(settled, 'nothing is due'),
}

function verdict({ ended, matched }: Advanced, usual: string): number {
  return ended === (matched === undefined ? usual : 'the breakpoint holds') ? CLEAN : PROBLEMS
}

const set: ByHand<ClockState> = {
  ask: ({ given, send }) => {
    const [mode] = given.words
    if (given.has('rate') && mode !== 'scaled')
      throw new UsageError(`--rate applies to scaled, not to ${mode}. Remove it, or use scaled.`)
    return send()
  },
  show: clockInWords,
}

export const clockGroup = nounGroup('clock', {
  show: { show: clockInWords },
  set,
  advance,
  settle,
})

function clockInWords({ mode, rate, now, nextDue }: ClockState, { paint }: Output): string {
  const pace = {
    frozen: 'Frozen. Advance it with: mfano clock advance 5m',
    realtime: 'Real time.',
    scaled: `${rate} times real time.`,
  }[mode]
  return `${paint('bold', time(now))}  ${pace}\n${nextDue === null ? 'Nothing is due.' : `Next event: ${time(nextDue)}`}\n`
}
