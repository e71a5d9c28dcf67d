import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readSettings } from '../../src/apps/cli/start/read-settings.ts'
import { maskBody } from '../../src/core/model/mask.ts'
import { silentLog } from '../../src/hosts/node/log.ts'
import { startSimulator } from '../../src/hosts/node/simulator.ts'
import { bodies } from '../support/bodies.ts'
import { folder } from '../support/folder.ts'
import { TestWorld } from '../support/harness.ts'

const password = 'tr0ub4dor-and-3'
const card = { number: '5555341244441115', cvc: '908171', pin: '774411' }
const secrets = { password, apiSecret: 'mfano-secret', made: '', access: '', refresh: '', ...card }

it('keeps passwords, key secrets, tokens, cards and PINs out of files, journal, logs and errors', async () => {
  const directory = join(folder(), 'data')
  const logged: unknown[] = []
  const log = {
    ...silentLog,
    request: (event: unknown) => logged.push(event),
    callback: (event: unknown) => logged.push(event),
    transition: (event: unknown) => logged.push(event),
    error: (...event: unknown[]) => logged.push(event),
  }
  const { settings } = readSettings(['--port', '0', '--data', directory, '--log', 'off'], {})
  if (!settings) throw new Error('the settings are wrong')
  const simulator = await startSimulator(settings, log)
  const { credentials } = simulator
  const world = new TestWorld(simulator, { id: 'default', baseUrl: simulator.baseUrl, credentials })
  const answers: string[] = []
  const keep = (answer: { text: string }) => answers.push(answer.text)

  const pair = (
    await world.raw('POST', '/api/v1/get-token', { body: { apiKey: 'mfano-key', apiSecret: 'mfano-secret' } })
  ).body.data
  Object.assign(secrets, { access: pair.access_token, refresh: pair.refresh_token })
  const { user, ...branch } = bodies.subAccount()
  const organisation = (extra: object) => ({
    ...branch,
    user: { ...user, username: 'branch', password, email: 'a@merchant.example', ...extra },
  })
  const create = '/api/sandbox/v1/multiaccount/new/organisation'
  const made = await world.post(create, organisation({}))
  expect(made.status).toBe(201)
  keep(made)
  // Wrong in every way in which an error could quote it.
  keep(await world.post(create, organisation({ username: 'branch' })))
  keep(await world.post(create, organisation({ username: 'other', password: [password] })))
  keep(await world.post(create, organisation({ username: 'other', password: { password } })))
  keep(await world.post(create, `{"user":{"password":"${password}"`))
  keep(await world.post('/api/sandbox/v1/no-such-path', organisation({})))
  keep(await world.raw('POST', '/api/v1/get-tokens', { body: { apiKey: 'mfano-key', apiSecret: 'mfano-secret' } }))
  keep(
    await world
      .raw('POST', '/api/v1/get-token', {
        body: { apiKey: 'mfano-key', apiSecret: 'mfano-secret', extra: 1, apikey: 2 },
      })
      .then((answer) => ({ text: answer.text.replaceAll(/eyJ[\w.-]+/g, '') })),
  )
  keep(await world.get(`/api/sandbox/v1/till/all?access_token=${secrets.access}`))
  // A payer's, sent to where nobody asked for them.
  const { number, cvc, pin } = card
  const query = `card%5Bnumber%5D=${number}&card_number=${number}&PAN=${number}&c%76c=${cvc}&cvv2=${cvc}&userPin=${pin}`
  keep(await world.get(`/api/sandbox/v1/till/all?${query}&requestId=x`))
  keep(await world.get(`/api/sandbox/v1/no-such-path?${query}`))
  keep(await world.post('/api/sandbox/v1/till/new', { card, 'user-pin': pin, cardNumber: { of: number } }))
  keep(await world.post('/api/sandbox/v1/till/new', `{"p\\u0069n":"${pin}"}`))
  keep(await world.post('/api/sandbox/v1/till/new', `pin=${pin}&cvc=${cvc}`))
  const { apiKey, apiSecret } = await world.control('POST', `/organisations/${made.body.data.uuid}/credentials`)
  secrets.made = apiSecret
  await world.login({ apiKey, apiSecret })

  const journal = JSON.stringify(await world.control('GET', '/requests?limit=1000'))
  expect(journal).toContain('card%5Bnumber%5D=***&card_number=***&PAN=***&c%76c=***&cvv2=***&userPin=***&requestId=x')
  await world.control('POST', '/snapshots', { name: 'kept' })
  const organisations = JSON.stringify(await world.control('GET', '/organisations'))
  await simulator.close()
  const files = readdirSync(directory)
    .filter((name) => name !== 'snapshots')
    .map((name) => readFileSync(join(directory, name), 'latin1'))
    .join('')
  const modes = readdirSync(directory, { recursive: true, withFileTypes: true }).map((one) => {
    const mode = statSync(join(one.parentPath, one.name)).mode & 0o777
    return [one.name, mode === (one.isDirectory() ? 0o700 : 0o600)]
  })
  expect(statSync(directory).mode & 0o777).toBe(0o700)
  expect(modes.filter(([, isOwners]) => !isOwners)).toEqual([])
  expect(modes.length).toBeGreaterThan(2)

  expect(files, 'the user is there').toContain('a@merchant.example')
  for (const [name, secret] of Object.entries(secrets)) {
    expect(secret.length, name).toBeGreaterThan(5)
    for (const [place, text] of Object.entries({
      files,
      journal,
      organisations,
      logged: JSON.stringify(logged),
      answers: answers.join(),
    })) {
      expect(text.includes(secret), `${name} in ${place}`).toBe(false)
    }
  }
})

it.each(['token', 'TOKEN', 'to\u212aen', 'Card-Number'])('knows the name %s in every spelling', (name) => {
  expect(maskBody(JSON.stringify({ [name]: 'shown' }))).toBe(JSON.stringify({ [name]: '***' }))
})
