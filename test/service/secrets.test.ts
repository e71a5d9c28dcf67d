import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { silentLog } from '../../src/hosts/node/log/log.ts'
import { readSettings } from '../../src/hosts/node/settings.ts'
import { startSimulator } from '../../src/hosts/node/simulator.ts'
import { TestWorld } from '../support/harness.ts'

const password = 'tr0ub4dor-and-3'
const secrets = { password, apiSecret: 'mfano-secret', made: '', access: '', refresh: '' }

it('keeps passwords, key secrets and tokens out of files, journal, logs and errors', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'mfano-secrets-'))
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
  const organisation = (extra: object) => ({
    name: 'Branch',
    email: 'branch@merchant.example',
    phone: '254700000009',
    user: {
      userType: 'API_USER',
      firstName: 'A',
      lastName: 'B',
      username: 'branch',
      password,
      roles: ['ADMIN'],
      email: 'a@merchant.example',
      ...extra,
    },
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
  const { apiKey, apiSecret } = await world.control('POST', `/organisations/${made.body.data.uuid}/credentials`)
  secrets.made = apiSecret
  await world.login({ apiKey, apiSecret })

  const journal = JSON.stringify(await world.control('GET', '/requests?limit=1000'))
  const organisations = JSON.stringify(await world.control('GET', '/organisations'))
  await simulator.close()
  const files = readdirSync(directory)
    .map((name) => readFileSync(join(directory, name), 'latin1'))
    .join('')
  rmSync(directory, { recursive: true })

  const hash = /scrypt\$16384\$8\$1\$[\w+/=-]+\$[\w+/=-]+/.exec(files)
  expect(hash, 'the password is there as a salted hash').not.toBeNull()
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
