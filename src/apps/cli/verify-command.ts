/** `mfano verify`: checks how often something happened, in which order, and that nothing followed. */
import { CLEAN, PROBLEMS } from './command.ts'
import { operationCommand } from './declared-commands.ts'
import { wholeValue } from './typed-values.ts'
import { count, indented, section } from './words.ts'

export const verifyCommand = operationCommand('world.verify', {
  words: '[SUBJECT]',
  fields: ['for'],
  about: 'Use it at the end of a test or a CI job.',
  exits: { 0: 'it happened as often as expected', 1: 'it did not' },
  flags: [{ name: 'exactly', value: 'number', help: 'The exact number. Default: at least one.', ...wholeValue(0) }],
  ask: ({ given, send }) => {
    const exactly = given.number('exactly')
    return send(exactly === undefined ? {} : { times: { exactly } })
  },
  show: ({ ok, found, checks, why, matches, nearest }, { paint }) => {
    const lines = checks.map(
      (one) => `${one.ok ? paint('green', 'ok') : paint('red', 'no')}: expected ${one.expected}; ${one.why}`,
    )
    const verdict = `${lines.join('\n')}\n`
    if (ok) return verdict
    return [
      verdict,
      why === null ? '' : `\n${why}\n`,
      section(`${count(found, 'time')} found`, matches.map(indented).join(''), paint),
      section('Nearest', nearest === null ? '' : indented(nearest), paint),
    ].join('')
  },
  verdict: ({ ok }) => (ok ? CLEAN : PROBLEMS),
})
