/** `mfano verify`: checks how often something happened, in which order, and that nothing followed. */
import { CLEAN, PROBLEMS } from './command.ts'
import { serverCommand } from './server.ts'
import { objectOf, oneOf, wholeValue } from './typed-values.ts'
import { count, indented, section } from './words.ts'

const subjects = ['request', 'callback', 'payment', 'inbox'] as const

export const verifyCommand = serverCommand({
  name: 'verify',
  words: 'SUBJECT',
  names: [subjects],
  summary: 'Check how often something happened.',
  about: 'SUBJECT is request, callback, payment or inbox. Use it at the end of a test or a CI job.',
  exits: { 0: 'it happened as often as expected', 1: 'it did not' },
  flags: [
    {
      name: 'where',
      value: 'cel',
      help: 'The condition, in CEL. Default: any.',
      expected: 'a condition such as payment.status == "SUCCESS"',
    },
    {
      name: 'exactly',
      value: 'number',
      help: 'The exact number. Default: at least one.',
      ...wholeValue(0),
    },
    {
      name: 'more',
      value: 'json',
      help: 'More fields: times, operation, since, inOrder, noneAfter.',
      expected: 'a JSON object such as {"operation":"createSendMoney"}',
    },
  ],
  examples: [
    `mfano verify request --where 'body.referenceId == "salary-1"' --exactly 1`,
    `mfano verify callback --where 'callback.state == "failed"' --exactly 0`,
    `mfano verify request --more '{"inOrder":[{"operation":"getToken"},{"operation":"createSendMoney"}]}' --json`,
  ],
  ask: ({ control }, given) => {
    const subject = oneOf('SUBJECT', given.words[0], subjects)
    const more = given.get('more')
    const exactly = given.number('exactly')
    const body = {
      ...(more !== undefined && objectOf('--more', more)),
      for: subject,
      where: given.get('where'),
      ...(exactly !== undefined && { times: { exactly } }),
    }
    return control('POST', '/verify', { body })
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
