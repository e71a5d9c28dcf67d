/** `mfano wait`: waits until a condition is true. */
import { operationCommand } from './declared-commands.ts'
import { indented } from './words.ts'

export const waitCommand = operationCommand('world.wait', {
  words: 'SUBJECT',
  fields: ['for'],
  about: 'After the timeout it prints the nearest match and why it does not match.',
  exits: { 0: 'the condition became true', 1: 'it did not become true in time' },
  show: ({ matches }) => `${matches.map((match) => indented(match)).join('')}`,
})
