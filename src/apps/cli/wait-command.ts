/** `mfano wait`: waits until a condition is true. */
import { serverCommand } from './server.ts'
import { durationValue, oneOf, wholeValue } from './typed-values.ts'
import { indented } from './words.ts'

const subjects = ['payment', 'callback', 'request', 'inbox'] as const

export const waitCommand = serverCommand({
  name: 'wait',
  words: 'SUBJECT',
  names: [subjects],
  summary: 'Wait until a condition is true.',
  about:
    'SUBJECT is payment, callback, request or inbox. After the timeout it prints the nearest match and why it does not match.',
  exits: { 0: 'the condition became true', 1: 'it did not become true in time' },
  flags: [
    {
      name: 'where',
      value: 'cel',
      help: 'The condition, in CEL. Default: any.',
      expected: 'a condition such as payment.status == "SUCCESS"',
    },
    {
      name: 'count',
      value: 'number',
      help: 'How many different ones must match.',
      ...wholeValue(1, 1000),
      byDefault: '1',
    },
    {
      name: 'timeout',
      value: 'duration',
      help: 'The longest wait in real time, at most 60s.',
      ...durationValue,
      byDefault: '5s',
    },
  ],
  examples: [
    `mfano wait payment --where 'payment.referenceId == "salary-1" && payment.status == "SUCCESS"'`,
    'mfano wait callback --count 3 --timeout 30s --json',
  ],
  ask: (server, given) => {
    const subject = oneOf('SUBJECT', given.words[0], subjects)
    const body = {
      for: subject,
      where: given.get('where'),
      count: given.number('count'),
      timeout: given.get('timeout'),
    }
    return server.within('for-ever').control('POST', '/wait', { body })
  },
  show: ({ matches }) => `${matches.map((match) => indented(match)).join('')}`,
})
