/** The commands `mfano callback …`. */
import type { Attempt, CallbackDetail } from '../../client/control.ts'
import type { CommandGroup } from './command.ts'
import type { Output } from './output.ts'
import { serverCommand } from './server.ts'
import { csvQuery, limitFlag, queryOf, table } from './table.ts'
import { factLines, hint, httpStatus, indented, section, state, time } from './words.ts'

const PAUSED = 'paused, because the world came from a file; send it with: mfano callback resume'
const states = ['pending', 'held', 'delivered', 'failed', 'dropped'] as const

const list = serverCommand({
  name: 'list',
  summary: 'List callbacks, newest first.',
  flags: [
    { name: 'state', value: 'state', help: `Only this state: ${states.join(', ')}.`, choices: states },
    limitFlag,
  ],
  examples: ['mfano callback list', 'mfano callback list --state failed --json'],
  csv: (given) => ({ list: '/callbacks', ...csvQuery(given, ['state']) }),
  ask: ({ control }, given) => control('GET', '/callbacks', { query: queryOf(given, ['state', 'limit']) }),
  show: ({ counts, callbacks }, output, given) => {
    if (callbacks.length === 0)
      return given.has('state')
        ? `No callbacks match. List all: ${hint('callback list', given)}\n`
        : `No callbacks yet. mfano sends one when a payment with a callbackUrl ends: ${hint('payment list', given)}\n`
    const tally = Object.entries(counts)
      .filter(([, number]) => number > 0)
      .map(([name, number]) => `${number} ${name}`)
    return `${table(
      callbacks,
      [
        { title: 'ID', of: ({ id }) => id, right: true },
        { title: 'STATE', of: (callback) => callback.state, paint: (text, _, paint) => state(text, paint) },
        { title: 'ABOUT', of: ({ topic }) => topic },
        { title: 'TRIES', of: ({ attempts }) => attempts, right: true },
        { title: 'CREATED', of: ({ createdAt }) => time(createdAt), spare: 1 },
        { title: 'NEXT TRY', of: ({ nextAttemptAt }) => time(nextAttemptAt), spare: 4 },
        { title: 'PAYMENT', of: ({ payment }) => payment, spare: 2 },
        { title: 'TO', of: ({ url }) => url, least: 24, spare: 3 },
      ],
      output,
    )}${tally.join(', ')}\n`
  },
})

const show = serverCommand({
  name: 'show',
  words: 'ID',
  summary: 'Show one callback with its body and delivery attempts.',
  examples: ['mfano callback show 1', 'mfano callback show 1 --json'],
  ask: ({ control }, { words: [id = ''] }) => control('GET', '/callbacks/:id', { path: { id } }),
  show: inFull,
})

const redeliver = serverCommand({
  name: 'redeliver',
  words: 'ID',
  summary: 'Send a callback again, whatever its state.',
  examples: ['mfano callback redeliver 1'],
  ask: ({ control }, { words: [id = ''] }) => control('POST', '/callbacks/:id/redeliver', { path: { id } }),
  show: (callback, output, given) =>
    `${inFull(callback, output)}\nSending now. See the result: ${hint(`callback show ${callback.id}`, given)}\n`,
})

const resume = serverCommand({
  name: 'resume',
  summary: 'Send the callbacks of an imported world.',
  about: 'A world from a file sends none before that. Callbacks that became due meanwhile are sent now.',
  examples: ['mfano callback resume', 'mfano callback resume --world shop'],
  ask: ({ control }) => control('POST', '/callbacks/resume'),
  show: ({ resumed, pending }) =>
    resumed ? `Callbacks are sent again. Pending: ${pending}.\n` : 'Callbacks were not paused.\n',
})

export const callbackGroup: CommandGroup = { commands: [list, show, redeliver, resume], otherwise: 'list' }

function inFull(callback: CallbackDetail, output: Output): string {
  const { paint } = output
  return [
    factLines(
      [
        ['id', callback.id],
        ['uid', callback.uid],
        ['about', callback.topic],
        ['payment', callback.payment],
        ['to', callback.url],
        ['state', callback.heldFor === 'resume' ? `${callback.state}: ${PAUSED}` : callback.state],
        ['created', time(callback.createdAt)],
        ['next try', callback.nextAttemptAt && time(callback.nextAttemptAt)],
        ['fault', callback.fault && `${callback.fault.does} (${callback.fault.rule})`],
      ],
      paint,
    ),
    section('Body', indented(callback.body), paint),
    section(
      'Attempts',
      callback.tries.length === 0
        ? ''
        : table(
            callback.tries,
            [
              { title: '#', of: ({ number }) => number, right: true },
              { title: 'SENT', of: ({ sentAt }) => time(sentAt) },
              { title: 'ANSWER', of: ({ status }) => status, paint: (text, _, paint) => httpStatus(text, paint) },
              { title: 'TOOK', of: ({ tookMs }) => `${Math.round(tookMs)} ms`, right: true, spare: 1 },
              ...(callback.tries.some(({ forwarder }) => forwarder !== null)
                ? [{ title: 'FORWARDED BY', of: ({ forwarder }: Attempt) => forwarder, spare: 2 }]
                : []),
              { title: 'ERROR', of: ({ error }) => error, least: 20 },
            ],
            output,
          ),
      paint,
    ),
    diagnosed(callback, output),
  ].join('')
}

function diagnosed({ tries }: CallbackDetail, { paint }: Output): string {
  const diagnosis = tries.at(-1)?.diagnosis
  if (!diagnosis) return ''
  const { why, todo } = diagnosis
  return section(
    'Diagnosis',
    factLines(
      [
        ['why', why],
        ['do', todo],
      ],
      paint,
    ),
    paint,
  )
}
