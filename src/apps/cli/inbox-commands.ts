/** The commands `mfano inbox …`. */
import type { InboxMessage } from '../../client/control.ts'
import type { CommandGroup } from './command.ts'
import { serverCommand, serverOf } from './server.ts'
import { table } from './table.ts'
import { hint, indented, time } from './words.ts'

const list = serverCommand({
  name: 'list',
  summary: 'List inboxes that received callbacks.',
  examples: ['mfano inbox list'],
  csv: () => ({ list: '/inbox' }),
  ask: ({ control }) => control('GET', '/inbox'),
  show: ({ inboxes }, output, given) =>
    inboxes.length === 0
      ? `No callbacks received yet. Give a payment this callbackUrl: ${serverOf(given).baseUrl}/_mfano/inbox/hello\n`
      : table(
          inboxes,
          [
            { title: 'INBOX', of: ({ name }) => name },
            { title: 'MESSAGES', of: ({ messages }) => messages, right: true },
          ],
          output,
        ),
})

const show = serverCommand({
  name: 'show',
  words: 'NAME',
  summary: 'Show the callbacks that an inbox received.',
  about: 'Use {base_url}/_mfano/inbox/NAME as the callbackUrl of a payment.',
  examples: ['mfano inbox show hello', 'mfano inbox show hello --json'],
  csv: ({ words: [name = ''] }) => ({ list: '/inbox/:name/messages', path: { name } }),
  ask: ({ control }, { words: [name = ''] }) => control('GET', '/inbox/:name', { path: { name } }),
  show: ({ messages }, { paint }, given) =>
    messages.length === 0
      ? `No callbacks received yet. See what is due: ${hint('clock', given)}\n`
      : messages
          .map(
            (message) =>
              `${paint('bold', `#${message.id}`)}  ${time(message.at)}${noted(message)}\n${indented(message.body)}`,
          )
          .join('\n'),
})

const answer = serverCommand({
  name: 'answer',
  words: 'NAME ANSWERS',
  summary: 'Set how an inbox answers callbacks.',
  about:
    'ANSWERS is a list such as 500,500,200. The inbox uses them in order and repeats the last. Each is a status, hang, close or reset. Add @3s to delay it.',
  flags: [
    {
      name: 'delay',
      value: 'duration',
      help: 'Real time to wait before each answer.',
      expected: 'a duration of at most 60s',
    },
  ],
  examples: ['mfano inbox answer hello 500,500,200', 'mfano inbox answer hello hang,200 --delay 300ms'],
  ask: ({ control }, given) => {
    const [name = '', answers] = given.words
    const delay = given.get('delay')
    const body = { answers, ...(delay !== undefined && { delay }) }
    return control('PUT', '/inbox/:name', { path: { name }, body })
  },
  show: ({ name, personality: { answers, delay } }) =>
    `Inbox ${name} answers ${answers.join(', ')}${delay === '0s' ? '' : `, each after ${delay}`}.\n`,
})

const clear = serverCommand({
  name: 'clear',
  words: 'NAME',
  summary: 'Empty an inbox and make it answer 200 again.',
  examples: ['mfano inbox clear hello'],
  ask: ({ control }, { words: [name = ''] }) => control('DELETE', '/inbox/:name', { path: { name } }),
  show: ({ cleared }) => `Inbox ${cleared} is empty.\n`,
})

export const inboxGroup: CommandGroup = { commands: [list, show, answer, clear], otherwise: 'list' }

function noted({ answered, signature }: InboxMessage): string {
  const answer = answered === null || answered === '200' ? '' : `  answered ${answered}`
  return signature === null || signature === 'none' ? answer : `${answer}  signature ${signature}`
}
