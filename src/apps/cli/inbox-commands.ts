/** The commands `mfano inbox …`. */
import type { InboxMessage } from '../../client/control-answers.ts'
import type { CommandGroup } from './command.ts'
import { serverCommand, serverOf } from './server.ts'
import { table } from './table.ts'
import { hint, indented, time } from './words.ts'

const list = serverCommand({
  name: 'list',
  summary: 'Lists the inboxes that took something.',
  examples: ['mfano inbox list'],
  csv: () => ({ list: '/inbox' }),
  ask: ({ control }) => control('GET', '/inbox'),
  show: ({ inboxes }, output, given) =>
    inboxes.length === 0
      ? `No inbox has taken anything. One begins with the first callback to it; give a payment the callbackUrl ${serverOf(given).baseUrl}/_mfano/inbox/hello\n`
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
  names: ['inboxes'],
  summary: 'Shows what an inbox took. Its address as a callbackUrl is {base_url}/_mfano/inbox/NAME.',
  examples: ['mfano inbox show hello', 'mfano inbox show hello --json'],
  csv: ({ words: [name = ''] }) => ({ list: '/inbox/:name/messages', path: { name } }),
  ask: ({ control }, { words: [name = ''] }) => control('GET', '/inbox/:name', { path: { name } }),
  show: ({ messages }, { paint }, given) =>
    messages.length === 0
      ? `Nothing came yet. What is due next: ${hint('clock', given)}\n`
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
  names: ['inboxes'],
  summary:
    'Has an inbox answer otherwise: 500,500,200 in turn, the last from then on; hang, close, reset; 200@3s late.',
  flags: [
    { name: 'delay', value: 'duration', help: 'Real time before each answer.', expected: 'a duration of at most 60s' },
  ],
  examples: ['mfano inbox answer hello 500,500,200', 'mfano inbox answer hello hang,200 --delay 300ms'],
  ask: ({ control }, given) => {
    const [name = '', answers] = given.words
    const delay = given.get('delay')
    const body = { answers, ...(delay !== undefined && { delay }) }
    return control('PUT', '/inbox/:name', { path: { name }, body })
  },
  show: ({ name, personality: { answers, delay } }) =>
    `The inbox ${name} answers ${answers.join(', ')}${delay === '0s' ? '' : `, each after ${delay}`}.\n`,
})

const clear = serverCommand({
  name: 'clear',
  words: 'NAME',
  names: ['inboxes'],
  summary: 'Empties an inbox, and has it answer 200 again.',
  examples: ['mfano inbox clear hello'],
  ask: ({ control }, { words: [name = ''] }) => control('DELETE', '/inbox/:name', { path: { name } }),
  show: ({ cleared }) => `The inbox ${cleared} is empty.\n`,
})

/** `mfano inbox …`. */
export const inboxGroup: CommandGroup = { commands: [list, show, answer, clear], otherwise: 'list' }

/** What is not as usual. */
function noted({ answered, signature }: InboxMessage): string {
  const answer = answered === null || answered === '200' ? '' : `  answered ${answered}`
  return signature === null || signature === 'none' ? answer : `${answer}  signature ${signature}`
}
