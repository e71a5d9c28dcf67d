/** The commands `mfano callback …`. */
import type { Attempt, CallbackDetail } from '../../client/control-answers.ts'
import type { CommandGroup } from './command.ts'
import { heldText } from './held-text.ts'
import { csvQuery, limitFlag, queryOf } from './lists.ts'
import type { Output } from './output.ts'
import { serverCommand } from './server.ts'
import { table } from './table.ts'
import { factLines, hint, httpStatus, indented, section, state, time } from './words.ts'

const HELD_BACK = 'its address came with a world file; mfano callback release lets it go'
const states = ['pending', 'held', 'delivered', 'failed', 'dropped'] as const

const list = serverCommand({
  name: 'list',
  summary: 'Lists the callbacks of a world, the newest first.',
  flags: [{ name: 'state', value: 'state', help: `In one state: ${states.join(', ')}.`, choices: states }, limitFlag],
  examples: ['mfano callback list', 'mfano callback list --state failed --json'],
  csv: (given) => ({ list: '/callbacks', ...csvQuery(given, ['state']) }),
  ask: ({ control }, given) => control('GET', '/callbacks', { query: queryOf(given, ['state', 'limit']) }),
  show: ({ counts, callbacks }, output, given) => {
    if (callbacks.length === 0)
      return given.has('state')
        ? `No callback is like that. All of them: ${hint('callback list', given)}\n`
        : `No callbacks yet. One is sent when a payment with a callbackUrl ends: ${hint('payment list', given)}\n`
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
  names: ['callbacks'],
  summary: 'Shows one callback: what was sent, and every attempt with its answer.',
  examples: ['mfano callback show 1', 'mfano callback show 1 --json'],
  ask: ({ control }, { words: [id = ''] }) => control('GET', '/callbacks/:id', { path: { id } }),
  show: inFull,
})

const redeliver = serverCommand({
  name: 'redeliver',
  words: 'ID',
  names: ['callbacks'],
  summary: 'Sends a callback again, whatever became of it.',
  examples: ['mfano callback redeliver 1'],
  ask: ({ control }, { words: [id = ''] }) => control('POST', '/callbacks/:id/redeliver', { path: { id } }),
  show: (callback, output, given) =>
    `${inFull(callback, output)}\nIt is on its way: ${hint(`callback show ${callback.id}`, given)}\n`,
})

const held = serverCommand({
  name: 'held',
  summary: 'Lists the addresses that a world file brought, with what is held for each.',
  examples: ['mfano callback held', 'mfano callback held --world shop'],
  ask: ({ control }) => control('GET', '/callbacks/held'),
  show: (addresses, _output, given) => heldText(addresses, given) || 'Nothing is held.\n',
})

const release = serverCommand({
  name: 'release',
  words: '[FROM]',
  summary: 'Sends what is held for an address of a world file, or for all of them: there, or elsewhere.',
  flags: [
    {
      name: 'to',
      value: 'url',
      help: 'Send it here instead: scheme, host and port; what stands behind the host is kept.',
      expected: 'an address such as http://localhost:3000',
    },
  ],
  examples: ['mfano callback release https://shop.example', 'mfano callback release --to http://localhost:3000'],
  ask: ({ control }, given) =>
    control('POST', '/callbacks/release', { body: { from: given.words[0], to: given.get('to') } }),
  show: ({ released, ...addresses }, _output, given) =>
    `${released} ${released === 1 ? 'callback is' : 'callbacks are'} on ${released === 1 ? 'its' : 'their'} way.\n${heldText(addresses, given)}`,
})

/** `mfano callback …`. */
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
              { title: 'WHY IT DID NOT COUNT', of: ({ error }) => error, least: 20 },
            ],
            output,
          ),
      paint,
    ),
    diagnosed(callback, output),
  ].join('')
}

/** What the doctor says of the last attempt. */
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
