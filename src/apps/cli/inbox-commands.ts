/** The commands `mfano inbox …`. */
import type { InboxMessage } from '../../client/control.ts'
import type { Arguments } from './command.ts'
import { nounGroup } from './declared-commands.ts'
import type { Output } from './output.ts'
import { hint, indented, time } from './words.ts'

export const inboxGroup = nounGroup('inbox', {
  show: {
    about: 'Use {base_url}/_mfano/inbox/NAME as the callbackUrl of a payment.',
    show: messagesText,
  },
  answer: {
    about:
      'ANSWERS is a list such as 500,500,200. The inbox uses them in order and repeats the last. Each is a status, hang, close or reset. Add @3s to delay it.',
  },
})

function messagesText({ messages }: { messages: InboxMessage[] }, { paint }: Output, given: Arguments): string {
  if (messages.length === 0) return `No callbacks received yet. See what is due: ${hint('clock', given)}\n`
  return messages
    .map(
      (message) =>
        `${paint('bold', `#${message.id}`)}  ${time(message.at)}${noted(message)}\n${indented(message.body)}`,
    )
    .join('\n')
}

function noted({ answered, signature }: InboxMessage): string {
  const answer = answered === null || answered === '200' ? '' : `  answered ${answered}`
  return signature === null || signature === 'none' ? answer : `${answer}  signature ${signature}`
}
