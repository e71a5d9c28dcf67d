import type { InboxMessage } from '../testing/shapes.ts'
import type { Group } from './command.ts'
import { serverCommand, serverOf } from './server.ts'
import { table } from './table.ts'
import { hint, indented, time } from './words.ts'

const list = serverCommand<{ inboxes: { name: string; messages: number }[] }>({
  name: 'list',
  words: '',
  count: [0, 0],
  summary: 'Lists the inboxes that took something.',
  examples: ['mfano inbox list'],
  ask: (server) => server.ask('GET', '/inbox'),
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

const show = serverCommand<{ messages: InboxMessage[] }>({
  name: 'show',
  words: 'NAME',
  count: [1, 1],
  names: ['inboxes'],
  summary: 'Shows what an inbox took. Its address as a callbackUrl is {base_url}/_mfano/inbox/NAME.',
  examples: ['mfano inbox show hello', 'mfano inbox show hello --json'],
  ask: (server, { words: [name = ''] }) => server.ask('GET', `/inbox/${encodeURIComponent(name)}`),
  show: ({ messages }, { paint }, given) =>
    messages.length === 0
      ? `Nothing came yet. What is due next: ${hint('clock', given)}\n`
      : messages.map(({ id, at, body }) => `${paint('bold', `#${id}`)}  ${time(at)}\n${indented(body)}`).join('\n'),
})

const clear = serverCommand<{ cleared: string }>({
  name: 'clear',
  words: 'NAME',
  count: [1, 1],
  names: ['inboxes'],
  summary: 'Empties an inbox.',
  examples: ['mfano inbox clear hello'],
  ask: (server, { words: [name = ''] }) => server.ask('DELETE', `/inbox/${encodeURIComponent(name)}`),
  show: ({ cleared }) => `The inbox ${cleared} is empty.\n`,
})

/** `mfano inbox …`. */
export const inboxGroup: Group = { commands: [list, show, clear] }
