/** One list of secrets and one mask: whatever is named so is kept nowhere, neither by a world nor by a recording. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { blankSecrets, maskBody, maskPath } from '../../../src/core/model/mask.ts'
import { recordTraffic } from '../../../src/judge/record-traffic.ts'
import { Secrets } from '../../../src/judge/traffic/har.ts'
import { folder } from '../../apps/cli/support.ts'
import { useBench } from '../../support/harness.ts'

const bench = useBench()

const names = `password passwd pwd pass pasword userPass passPhrase passcode passKey apiSecret clientSecret privateKey
  consumerKey accessToken tokens jwt otp otpCode smsCode verificationCode oneTimeCode userPin pins pinCode cardNumber
  cardNo cardCvc cardCvv cardPan pan primaryAccountNumber securityCode cvc cvv2 csc track2 signature credential
  authorization sessionId sid bearer basicAuth authCode assertion accessKey signingKey encryptionKey subscriptionKey
  clientKey apiKey`
  .split(/\s+/)
  .map((name) => name.replaceAll(/[A-Z]/g, ' $&').toLowerCase().split(' '))

/** A secret's name as somebody spells it: `cardNumber`, `card_number`, `card[number]`, `CARD-NUMBER`. */
const name = fc
  .tuple(fc.constantFrom(...names), fc.constantFrom('camel', '_', '-', '[]', 'upper'))
  .map(([words, spelling]) => {
    if (spelling === 'camel')
      return words.map((word, i) => (i === 0 ? word : word[0]?.toUpperCase() + word.slice(1))).join('')
    if (spelling === '[]') return words.length === 1 ? (words[0] as string) : `${words[0]}[${words.slice(1).join('')}]`
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
/** Numbers of 13 to 19 digits with a right check digit, as cards have them. */
const card = fc
  .tuple(fc.constantFrom('4', '51', '2221', '37', '6011', '62'), fc.integer({ min: 13, max: 19 }), fc.nat())
  .map(([prefix, length, rest]) => {
    const digits = (prefix + String(rest).padStart(12, '7').repeat(2)).slice(0, length - 1)
    const sum = [...digits].reverse().reduce((all, digit, i) => {
      const doubled = Number(digit) * (i % 2 === 0 ? 2 : 1)
      return all + (doubled > 9 ? doubled - 9 : doubled)
    }, 0)
    return digits + ((10 - (sum % 10)) % 10)
  })

/** A secret as forms, JSON and addresses may write it. */
const written = (text: string) => [text, encodeURIComponent(text), JSON.stringify(text).slice(1, -1)]

/** Bodies and paths that hold a secret under its name, and a card in prose. */
function requestsWith(named: string, text: string, wrap: (text: string) => unknown, digits: string) {
  const pair = `${encodeURIComponent(named)}=${encodeURIComponent(text)}`
  const inside = {
    data: [{ amount: 10, [named]: wrap(text) }],
    remarks: `by card ${digits}`,
    [digits]: digits.length < 16 ? Number(digits) : digits,
  }
  const tag = named.replaceAll(/[^\w-]/g, '')
  const bodies = [
    JSON.stringify(inside),
    JSON.stringify(JSON.stringify(inside)),
    JSON.stringify({ user: JSON.stringify({ more: JSON.stringify(inside) }) }),
    JSON.stringify({ note: `amount=10&${pair}`, at: `https://merchant.example/told?${pair}#x`, n: digits }),
    `amount=10&${named}=${encodeURIComponent(text)}&payload=${encodeURIComponent(JSON.stringify(inside))}`,
    `<pay><${tag}>${text}</${tag}><n>${digits}</n></pay>`,
    `--b\r\ncontent-disposition: form-data; name="${named}"\r\n\r\n${text}\r\n--b--${digits}`,
    JSON.stringify(inside).slice(0, -1),
  ]
  const query = `?amount=10&${pair}&n=${digits}&next=${encodeURIComponent(`https://merchant.example/told?${pair}`)}`
  return { bodies, query }
}

it('keeps no secret in journal, files, capsule, log, reports, answers or recorded traffic', async () => {
  const out = join(folder(), 'traffic.har')
  const failed: string[] = []
  const world = await bench.world({ record: true })
  const token = await world.token()
  const { origin, pathname } = new URL(world.baseUrl)
  const recording = await recordTraffic({
    upstream: new URL(origin),
    port: 0,
    out,
    passed: () => {},
    failed: (text) => failed.push(text),
  })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const send = async (path: string, body: string) =>
    (await fetch(`${recording.url}${pathname}/api/sandbox/v1/${path}`, { method: 'POST', headers, body })).text()
  const told: string[] = []
  const answers: string[] = []
  await fc.assert(
    fc.asyncProperty(name, secret, around, card, async (named, text, wrap, digits) => {
      told.push(...written(text), digits)
      const { bodies, query } = requestsWith(named, text, wrap, digits)
      for (const body of bodies) answers.push(await send('send-money', body))
      answers.push(await send(`till/new${query}`, JSON.stringify({ phoneNumber: `${digits} `, callbackUrl: query })))
      const payout = { phoneNumber: '254712345678', amount: 100, remarks: 'Salary', occasion: 'May' }
      const callbackUrl = `${bench.receiver.url()}?${encodeURIComponent(named)}=${encodeURIComponent(text)}`
      answers.push(await send('send-money', JSON.stringify({ ...payout, [named]: wrap(text) })))
      await send('send-money', JSON.stringify({ ...payout, callbackUrl }))
    }),
    { numRuns: 15 },
  )
  await world.advance('5s')
  const callbacks = await world.control('GET', '/callbacks?limit=1000')
  const [{ id }] = callbacks.callbacks
  const capsule = Buffer.from(await (await fetch(`${world.baseUrl}/_mfano/capsule`)).arrayBuffer())
  const kept = {
    answers: answers.join('\n'),
    journal: JSON.stringify(await world.control('GET', '/requests?limit=1000')),
    callbacks: JSON.stringify([callbacks, await world.control('GET', `/callbacks/${id}`)]),
    report: await (await fetch(`${world.baseUrl}/_mfano/report`)).text(),
    capsule: gunzipSync(capsule.subarray(capsule.indexOf('\n', capsule.indexOf('\n') + 1) + 1)).toString(),
    har: readFileSync(out, 'utf8'),
  }
  await recording.close()
  expect(failed).toEqual([])
  for (const [place, text] of Object.entries(kept)) {
    expect(text.length, place).toBeGreaterThan(100)
    expect(
      told.filter((one) => text.includes(one)),
      place,
    ).toEqual([])
  }
})

it('masks each secret, whatever it stands in', () => {
  fc.assert(
    fc.property(name, secret, around, card, (named, text, wrap, digits) => {
      const { bodies, query } = requestsWith(named, text, wrap, digits)
      const kept = [
        ...bodies.flatMap((body) => [maskBody(body), blankSecrets(body), new Secrets().body(body)]),
        maskPath(`/told${query}`),
        new Secrets().path(`/told${query}`),
        new Secrets().header('x-called', `https://merchant.example/told${query}`),
      ]
      for (const one of kept) for (const form of [...written(text), digits]) expect(one).not.toContain(form)
      // A replay of what is left must be journalled as the request was.
      for (const body of bodies) expect(maskBody(blankSecrets(body))).toBe(maskBody(body))
    }),
  )
})

/** What somebody needs to read. A long account number stays as well, unless it begins and adds up as a card's does. */
const readable = fc.oneof(
  fc.integer({ min: 700_000_000, max: 799_999_999 }).map((n) => `254${n}`),
  fc.integer({ min: 700_000_000, max: 799_999_999 }).map((n) => `+254 ${n}`),
  fc.integer({ min: 700_000_000, max: 799_999_999 }).map((n) => `00254${n}`),
  fc.uuid(),
  fc.stringMatching(/^(?:INV|salary|PO)-\d{4}-[A-Z0-9]{1,12}$/),
  fc.stringMatching(/^[A-Z]{3}[A-Z0-9]{7}$/),
  fc.stringMatching(/^[01]\d{9,18}$/),
  fc.stringMatching(/^\d{6,12}$/),
  fc
    .date({ min: new Date('2020-01-01'), max: new Date('2039-12-31'), noInvalidDate: true })
    .map((at) => at.toISOString()),
  fc.integer({ min: 1_500_000_000_000, max: 1_999_999_999_999 }).map(String),
  fc
    .date({ min: new Date('2020-01-01'), max: new Date('2039-12-31'), noInvalidDate: true })
    .map((at) => at.toISOString().replaceAll(/\D/g, '').slice(0, 14)),
  fc.constantFrom(
    'Shopping at Keyboards & Co',
    'Invalid signature',
    'token of thanks',
    'card (pin) wanted',
    'one time',
  ),
)
const fields = 'phoneNumber referenceId accountReference receipt uuid remarks accountNumber currencyCode'.split(' ')

it('leaves phones, references, receipts, ids, times, account numbers and prose readable', () => {
  fc.assert(
    fc.property(readable, fc.constantFrom(...fields), (text, field) => {
      // With a secret beside it, so that the text is looked into.
      const json = JSON.stringify({ [field]: text, amount: 1000.5, apiKey: 'mfano-key' })
      for (const mask of [maskBody, blankSecrets, (body: string) => new Secrets().body(body)]) {
        expect(JSON.parse(mask(json))).toMatchObject({ [field]: text, amount: 1000.5 })
        expect(mask(JSON.stringify({ [field]: text }))).toBe(JSON.stringify({ [field]: text }))
      }
      const path = `/told?${field}=${encodeURIComponent(text)}`
      expect([maskPath(path), new Secrets().path(path)]).toEqual([path, path])
    }),
  )
})

it('keeps the written form of numbers beside a secret', () => {
  expect(maskBody('{"amount":1000.0,"pin":12}')).toBe('{"amount":1000.0,"pin":"***"}')
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
  expect([maskBody(error), new Secrets().body(error)]).toEqual([error, error])
})
