/** The commands `mfano callback …`. */
import type { Attempt, CallbackDetail } from '../../client/control-answers.ts'
import type { CommandGroup } from './command.ts'
import { heldText } from './held-text.ts'
import { csvQuery, limitFlag, queryOf } from './lists.ts'
import type { Output } from './output.ts'
import { serverCommand } from './server.ts'
import { table } from './table.ts'
import { factLines, hint, httpStatus, indented, section, state, time } from './words.ts'

const HELD_BACK = 'its address came with a world file; release it with: mfano callback release'
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

const held = serverCommand({
  name: 'held',
  summary: 'List addresses whose callbacks are held.',
  about: 'Callbacks to addresses in an uploaded world file are held until you release them.',
  examples: ['mfano callback held', 'mfano callback held --world shop'],
  ask: ({ control }) => control('GET', '/callbacks/held'),
  show: (addresses, _output, given) => heldText(addresses, given) || 'No callbacks are held.\n',
})

const release = serverCommand({
  name: 'release',
  words: '[FROM]',
  summary: 'Send held callbacks to their address or to another.',
  about: 'Without FROM, the callbacks of all held addresses are sent.',
  flags: [
    {
      name: 'to',
      value: 'url',
      help: 'Send here instead: scheme, host and port. The path is kept.',
      expected: 'an address such as http://localhost:3000',
    },
  ],
  examples: ['mfano callback release https://shop.example', 'mfano callback release --to http://localhost:3000'],
  ask: ({ control }, given) =>
    control('POST', '/callbacks/release', { body: { from: given.words[0], to: given.get('to') } }),
  show: ({ released, ...addresses }, _output, given) =>
    `Sending ${released} ${released === 1 ? 'callback' : 'callbacks'}.\n${heldText(addresses, given)}`,
})

export const callbackGroup: CommandGroup = { commands: [list, show, redeliver, held, release], otherwise: 'list' }

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
        ['state', callback.heldFor === 'release' ? `${callback.state}: ${HELD_BACK}` : callback.state],
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
