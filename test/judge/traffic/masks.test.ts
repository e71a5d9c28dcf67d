/** One list of what is a secret: whatever is named so reaches neither the journal nor a recording, wherever it stands. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { blankSecrets, maskBody, maskPath } from '../../../src/core/model/mask.ts'
import { Secrets } from '../../../src/judge/traffic/secrets.ts'

const names = [
  ['password'],
  ['pass', 'phrase'],
  ['passcode'],
  ['pass', 'key'],
  ['api', 'secret'],
  ['client', 'secret'],
  ['private', 'key'],
  ['consumer', 'key'],
  ['access', 'token'],
  ['tokens'],
  ['jwt'],
  ['otp'],
  ['user', 'pin'],
  ['card', 'number'],
  ['security', 'code'],
  ['cvc'],
  ['cvv2'],
  ['pan'],
  ['signature'],
  ['credential'],
  ['authorization'],
] as const

/** A secret's name as somebody spells it: `cardNumber`, `card_number`, `card[number]`, `CARD-NUMBER`. */
const name = fc
  .tuple(fc.constantFrom(...names), fc.constantFrom('camel', '_', '-', '[]', 'upper'))
  .map(([words, spelling]) => {
    if (spelling === 'camel')
      return words.map((word, i) => (i === 0 ? word : word[0]?.toUpperCase() + word.slice(1))).join('')
    if (spelling === '[]') return words.length === 1 ? words[0] : `${words[0]}[${words.slice(1).join('')}]`
    return spelling === 'upper' ? words.join('_').toUpperCase() : words.join(spelling)
  })
/** Found nowhere by chance, and with signs that forms and JSON write in other ways. */
const secret = fc.stringMatching(/^q7Zk[a-z0-9 /+"&]{4,12}9Xw$/)
/** What stands under a name: the secret itself, or something that holds it. */
const around = fc.constantFrom<(text: string) => unknown>(
  (text) => text,
  (text) => [text],
  (text) => ({ value: text }),
  (text) => [{ deeper: [text] }],
)

/** A secret as forms, JSON and addresses may write it. */
const written = (text: string) => [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)]

it('masks JSON, forms, queries, XML and multipart, percent-encoded or not', () => {
  fc.assert(
    fc.property(name, secret, around, fc.boolean(), (named, text, wrap, encoded) => {
      const spelt = encoded ? encodeURIComponent(named) : named
      const pair = `${spelt}=${encodeURIComponent(text)}`
      const json = JSON.stringify({ data: [{ amount: 10, [named]: wrap(text) }] })
      const tag = named.replaceAll(/[^\w-]/g, '')
      const bodies: [type: string, body: string][] = [
        ['application/json', json],
        ['application/x-www-form-urlencoded', `amount=10&${pair}`],
        ['application/xml', `<pay><${tag}>${text}</${tag}></pay>`],
        [
          'multipart/form-data; boundary=b',
          `--b\r\ncontent-disposition: form-data; name="${named}"\r\n\r\n${text}\r\n--b--`,
        ],
      ]
      const kept = [
        ...bodies.flatMap(([type, body]) => [maskBody(body), blankSecrets(body), new Secrets().body(body, type)]),
        maskPath(`/told?amount=10&${pair}`),
        new Secrets().path(`/told?amount=10&${pair}`),
        new Secrets().header('x-called', `https://merchant.example/told?amount=10&${pair}`),
      ]
      for (const one of kept) for (const form of written(text)) expect(one).not.toContain(form)
    }),
  )
})

it('masks headers that say who somebody is', () => {
  const named = ['X-Auth', 'Authentication', 'X-Credential', 'Authorization', 'X-Api-Key', 'Passkey', 'X-Device-Pin']
  for (const header of named) expect(new Secrets().header(header, 'q7Zk-9Xw')).not.toContain('q7Zk-9Xw')
  expect(new Secrets().header('www-authenticate', 'Bearer realm="mfano"')).toBe('Bearer realm="mfano"')
})

it('masks the code and the key of an address, and keeps the code of an error', () => {
  expect(maskPath('/back?code=q7Zk&key=9Xw&state=on')).toBe('/back?code=***&key=***&state=on')
  expect(new Secrets().path('/back?code=q7Zk-1&key=9Xw-1&state=on')).toBe(
    '/back?code=***secret-1&key=***secret-2&state=on',
  )
  const error = '{"error":{"code":"REQ_INVALID_FIELD"}}'
  expect([maskBody(error), new Secrets().body(error, 'application/json')]).toEqual([error, error])
})
