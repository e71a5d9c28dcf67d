import { didYouMean } from '../model/nearest.ts'
import { formatDuration, parseDuration, parseInstant } from '../model/time.ts'
import { everyRealMs } from '../platform/wall.ts'
import { type Group, UsageError } from './command.ts'
import type { Output } from './output.ts'
import { type Server, serverCommand } from './server.ts'
import { count, time } from './words.ts'

const modes = ['realtime', 'scaled', 'frozen'] as const
/** How often to ask how far the clock is, in real milliseconds. */
const LOOK_EVERY_MS = 150

interface Clock {
  mode: (typeof modes)[number]
  rate: number
  now: string
  nextDue: string | null
}
interface Advanced {
  now: string
  steps: number
  callbacks: { delivered: number; failed: number }
}

const show = serverCommand<Clock>({
  name: 'show',
  words: '',
  count: [0, 0],
  summary: 'Says what time it is in a world, how it goes, and when something is due next.',
  examples: ['mfano clock', 'mfano clock show --world shop --json'],
  ask: (server) => server.ask('GET', '/clock'),
  show: clockInWords,
})

const set = serverCommand<Clock>({
  name: 'set',
  words: 'MODE',
  count: [1, 1],
  names: [modes],
  summary: 'Changes how time goes: realtime, scaled (faster or slower), or frozen (it moves only when told to).',
  flags: [
    {
      name: 'rate',
      value: 'number',
      help: 'World seconds in a real second; for scaled.',
      expected: 'a number greater than 0, such as 60',
    },
  ],
  examples: ['mfano clock set frozen', 'mfano clock set scaled --rate 60'],
  ask: (server, given) => {
    const [mode = ''] = given.words
    const text = given.get('rate')
    const rate = text === undefined ? undefined : Number(text)
    if (!modes.some((one) => one === mode))
      throw new UsageError(`MODE: expected ${modes.join(', ')}, got ${JSON.stringify(mode)}.${didYouMean(mode, modes)}`)
    if (rate !== undefined && !(rate > 0))
      throw new UsageError(`--rate: expected a number greater than 0, such as 60, got ${JSON.stringify(text)}.`)
    return server.ask('PATCH', '/clock', { body: { mode, rate } })
  },
  show: clockInWords,
})

const advance = serverCommand<Advanced>({
  name: 'advance',
  words: 'DURATION|TIME',
  count: [1, 1],
  summary: 'Moves time on, from due event to due event, and delivers the callbacks of each before time goes on.',
  examples: ['mfano clock advance 90s', 'mfano clock advance 2d', 'mfano clock advance 2025-01-31T18:00:00'],
  ask: (server, given, output) => {
    const [text = ''] = given.words
    const byUs = parseDuration(text)
    const toUs = parseInstant(text)
    if (byUs === undefined && toUs === undefined)
      throw new UsageError(
        `Expected a duration such as 90s, 5m or 2d, or a time such as 2025-01-31T18:00:00, got ${JSON.stringify(text)}.`,
      )
    const body = byUs === undefined ? { to: text } : { by: text }
    return watched(
      server,
      output,
      (nowUs) => toUs ?? nowUs + (byUs ?? 0),
      () => server.ask('POST', '/clock/advance', { body, patience: 'for-ever' }),
    )
  },
  show: ({ now, steps, callbacks: { delivered, failed } }, { paint }) =>
    `${paint('bold', time(now))}  ${count(steps, 'step')}, ${count(delivered, 'callback')} delivered${failed > 0 ? `, ${paint('red', `${failed} failed`)}` : ''}\n`,
})

/** `mfano clock …`. */
export const clockGroup: Group = { commands: [show, set, advance], otherwise: 'show' }

/** Shows how far the clock is while a question that moves it is being answered; only a person who watches costs questions. */
async function watched<T>(
  server: Server,
  output: Output,
  target: (nowUs: number) => number,
  question: () => Promise<T>,
): Promise<T> {
  if (!output.watched) return question()
  const nowUs = async () => parseInstant((await server.ask<Clock>('GET', '/clock')).now) ?? 0
  const startUs = await nowUs()
  const endUs = target(startUs)
  const progress = output.progress('moving time')
  let asking = false
  const stop = everyRealMs(LOOK_EVERY_MS, () => {
    if (asking) return
    asking = true
    nowUs()
      .then((atUs) => progress.at((atUs - startUs) / (endUs - startUs), `${formatDuration(atUs - startUs)}`))
      // The question itself will say what is wrong.
      .catch(() => {})
      .finally(() => {
        asking = false
      })
  })
  try {
    return await question()
  } finally {
    stop()
    progress.end()
  }
}

function clockInWords({ mode, rate, now, nextDue }: Clock, { paint }: Output): string {
  const pace = {
    frozen: 'frozen: it moves when you say so, mfano clock advance 5m',
    realtime: 'in real time',
    scaled: `${rate} times as fast as real time`,
  }[mode]
  return `${paint('bold', time(now))}  ${pace}\n${nextDue === null ? 'nothing is due' : `next due: ${time(nextDue)}`}\n`
}
