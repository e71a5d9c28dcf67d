import type { Advanced, ClockState, Settled } from '../../client/control.ts'
import { must } from '../../core/model/must.ts'
import { parseDuration, parseInstant, shortDuration } from '../../core/model/time.ts'
import { everyRealMs } from '../../hosts/node/wall.ts'
import { CLEAN, PROBLEMS, UsageError } from './command.ts'
import { type ByHand, nounGroup } from './declared-commands.ts'
import { eventTable } from './events-command.ts'
import type { Output } from './output.ts'
import type { Server } from './server.ts'
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
  ask: async ({ server, given, output, send }) => {
    const [text = ''] = given.words
    const byUs = parseDuration(text)
    if (byUs === undefined && parseInstant(text) === undefined)
      throw new UsageError(
        `Expected a duration such as 90s, 5m or 2d, or a time such as 2025-01-31T18:00:00, got ${JSON.stringify(text)}.`,
      )
    if (byUs !== undefined)
      return watched(
        server,
        output,
        (nowUs) => nowUs + byUs,
        () => send({ by: text }),
      )
    const to = await inZoneOf(server.control, text)
    return watched(
      server,
      output,
      () => must(parseInstant(to)),
      () => send({ to }),
    )
  },
  show: advancedText,
  verdict: (advanced) => verdict(advanced, 'the target is reached'),
}

const settle: ByHand<Settled> = {
  about: 'It prints what happened and which payments are still open.',
  exits: { 0: 'nothing is due, or the condition of --until held', 1: 'it stopped earlier' },
  ask: ({ server, output, send }) => watched(server, output, undefined, () => send()),
  show: advancedText,
  verdict: (settled) => verdict(settled, 'nothing is due'),
}

function verdict({ ended, matched }: Advanced, usual: string): number {
  return ended === (matched === undefined ? usual : 'the breakpoint holds') ? CLEAN : PROBLEMS
}

/** Without a target, the world decides how far the clock goes. */
async function watched<T>(
  server: Server,
  output: Output,
  target: ((nowUs: number) => number) | undefined,
  question: () => Promise<T>,
): Promise<T> {
  if (!output.watched) return question()
  const nowUs = async () => parseInstant((await server.control('GET', '/clock')).now) ?? 0
  const startUs = await nowUs()
  const endUs = target?.(startUs)
  const look = async () => {
    const atUs = await nowUs()
    return {
      fraction: endUs && (atUs - startUs) / (endUs - startUs),
      note: `${shortDuration(atUs - startUs)} on`,
    }
  }
  return whileWatched(output, 'moving time', look, question)
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

const LOOK_EVERY_MS = 150

/**
 * Polls only if a person watches. `look` asks for the progress. Its errors are ignored, because the request itself will
 * report them.
 */
export async function whileWatched<T>(
  output: Output,
  label: string,
  look: () => Promise<{ fraction: number | undefined; note?: string }>,
  question: () => Promise<T>,
): Promise<T> {
  if (!output.watched) return question()
  const progress = output.progress(label)
  let looking = false
  const stop = everyRealMs(LOOK_EVERY_MS, () => {
    if (looking) return
    looking = true
    look()
      .then(({ fraction, note }) => progress.at(fraction, note))
      .catch(() => {})
      .finally(() => {
        looking = false
      })
  })
  try {
    return await question()
  } finally {
    stop()
    progress.end()
  }
}
