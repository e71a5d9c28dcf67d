/** `mfano clock advance` and `mfano clock settle`: move the clock and show progress. */
import type { Advanced } from '../../client/control-answers.ts'
import { must } from '../../core/model/must.ts'
import { shortDuration } from '../../core/model/short-duration.ts'
import { parseDuration, parseInstant } from '../../core/model/time.ts'
import { advancedText, settledText } from './clock-run-text.ts'
import { type Arguments, CLEAN, type Flag, PROBLEMS, UsageError } from './command.ts'
import type { Output } from './output.ts'
import { type Server, serverCommand } from './server.ts'
import { inZoneOf } from './shown-zone.ts'
import { durationValue, wholeValue } from './typed-values.ts'
import { whileWatched } from './while-watched.ts'

const WEEK = '7d'

const bounds: readonly Flag[] = [
  {
    name: 'until',
    value: 'cel',
    help: 'Stop when this CEL condition is true of an event or payment.',
    expected: 'a condition such as payment.status == "FAILED"',
  },
  {
    name: 'steps',
    value: 'number',
    help: 'Stop after this many steps and attempts.',
    ...wholeValue(1),
  },
  {
    name: 'timeout',
    value: 'duration',
    help: 'Stop after this much real time, at most 10m.',
    ...durationValue,
  },
]

export const advance = serverCommand({
  name: 'advance',
  words: 'DURATION|TIME',
  fields: ['by|to'],
  summary: 'Advance the clock to a time or by a duration.',
  about: 'The clock stops at each due event and waits until its callbacks are delivered.',
  exits: { 0: 'the target was reached, or the condition of --until held', 1: 'it stopped earlier' },
  flags: [...bounds, { name: 'list', help: 'List the events on the way.' }],
  examples: [
    'mfano clock advance 90s',
    'mfano clock advance 2d --list',
    'mfano clock advance 2025-01-31T18:00:00',
    `mfano clock advance 1h --until 'payment.status == "FAILED"'`,
  ],
  ask: async (server, given, output) => {
    const [text = ''] = given.words
    const byUs = parseDuration(text)
    if (byUs === undefined && parseInstant(text) === undefined)
      throw new UsageError(
        `Expected a duration such as 90s, 5m or 2d, or a time such as 2025-01-31T18:00:00, got ${JSON.stringify(text)}.`,
      )
    const bounds = { ...readBounds(given), list: given.has('list') }
    const { control } = server.within('for-ever')
    if (byUs !== undefined) {
      const body = { by: text, ...bounds }
      return watched(
        server,
        output,
        (nowUs) => nowUs + byUs,
        () => control('POST', '/clock/advance', { body }),
      )
    }
    const to = await inZoneOf(server.control, text)
    return watched(
      server,
      output,
      () => must(parseInstant(to)),
      () => control('POST', '/clock/advance', { body: { to, ...bounds } }),
    )
  },
  show: advancedText,
  verdict: (advanced) => verdict(advanced, 'the target is reached'),
})

export const settle = serverCommand({
  name: 'settle',
  summary: 'Advance the clock until nothing is due.',
  about: 'It prints what happened and which payments are still open.',
  exits: { 0: 'nothing is due, or the condition of --until held', 1: 'it stopped earlier' },
  flags: [
    {
      name: 'within',
      value: 'duration',
      help: 'The most simulated time to advance.',
      ...durationValue,
      byDefault: WEEK,
    },
    ...bounds,
  ],
  examples: [
    'mfano clock settle',
    'mfano clock settle --within 3d --json',
    `mfano clock settle --until 'callback.attempts == 3'`,
  ],
  ask: (server, given, output) => {
    const body = { within: given.get('within'), ...readBounds(given) }
    const { control } = server.within('for-ever')
    return watched(server, output, undefined, () => control('POST', '/clock/settle', { body }))
  },
  show: settledText,
  verdict: (settled) => verdict(settled, 'nothing is due'),
})

function verdict({ ended, matched }: Advanced, usual: string): number {
  return ended === (matched === undefined ? usual : 'the breakpoint holds') ? CLEAN : PROBLEMS
}

function readBounds(given: Arguments) {
  return { until: given.get('until'), steps: given.number('steps'), timeout: given.get('timeout') }
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
