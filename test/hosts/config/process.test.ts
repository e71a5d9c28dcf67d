import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { firstPayment, readInbox, readyLine, readyNotice } from '../../../src/apps/cli/start/process.ts'
import { controlOf } from '../../../src/client/control.ts'
import { silentLog } from '../../../src/hosts/node/log.ts'
import { settingsOf, startFailure } from '../../../src/hosts/node/settings.ts'
import { startSimulator } from '../../../src/hosts/node/simulator.ts'
import { storageFailure } from '../../../src/hosts/node/storage/storage-errors.ts'

const ready = {
  version: '1.2.3',
  baseUrl: 'http://127.0.0.1:8080',
  port: 8080,
  scenario: { name: 'default', description: 'All goes well.\n' },
  credentials: { apiKey: 'mfano-key', apiSecret: "it's $HOME", companyId: 'c-1' },
  guarded: false,
  data: '/home/asha/.local/state/mfano',
  warnings: ['Unknown environment variable MFANO_X.'],
}

test('the notice holds what a first integration needs', () => {
  const notice = readyNotice(ready)
  for (const text of [
    'data         /home/asha/.local/state/mfano\n',
    'http://127.0.0.1:8080\n',
    'mfano-key',
    "it's $HOME",
    'c-1',
    'default: All goes well.\n',
    'Warning: Unknown environment variable MFANO_X.\n',
  ])
    expect(notice).toContain(text)
  for (const path of ['/docs', '/openapi.json', '/_mfano/']) expect(notice).toContain(`http://127.0.0.1:8080${path}\n`)
})

test('the notice says where localhost of a callbackUrl leads, if not here', () => {
  expect(readyNotice(ready)).not.toContain('callbacks')
  expect(readyNotice({ ...ready, callbackHost: 'host.docker.internal' })).toContain(
    '  callbacks    localhost in a callbackUrl is host.docker.internal\n',
  )
})

test('the notice says that ids are new, or from which seed they come', () => {
  expect(readyNotice(ready)).toContain(
    'ids          new in every new default world and after a reset; --seed 1 repeats them\n',
  )
  expect(readyNotice({ ...ready, seed: 7 })).toContain('ids          of seed 7\n')
})

test('a new or reset default world has ids of its own, unless a seed is given', async () => {
  const ids = async (seed: string | undefined, idSeed: number) => {
    const settings = settingsOf({ port: '0', data: ':memory:', log: 'off', ...(seed && { seed }) })
    const simulator = await startSimulator(settings, silentLog, { idSeed })
    const control = controlOf(simulator.baseUrl)
    const pay = async () =>
      ((await control('POST', '/collections/bank', { body: { amount: 100 } })) as { uuid: string }).uuid
    const made = [await pay()]
    for (const _ of [1, 2]) {
      await control('POST', '/reset', { body: {} })
      made.push(await pay())
    }
    await simulator.close()
    expect(simulator.seed).toBe(seed === undefined ? undefined : Number(seed))
    return made
  }
  const [first, second] = [await ids(undefined, 1), await ids(undefined, 2)]
  expect(new Set([...first, ...second]).size).toBe(6)
  const given = await ids('7', 1)
  expect(new Set(given).size).toBe(1)
  expect(first).not.toContain(given[0])
  expect(await ids('7', 2)).toEqual(given)
})

test('the shell commands send exactly the key and a payment, whatever is in them', () => {
  // A curl that answers with a token and otherwise says how it was called.
  const curl = `curl() { case "$*" in *get-token*) printf '%s\\n' "$@" >&2; echo '{"data":{"access_token":"a.b-c","expires_in":300}}';; *) printf '%s\\n' "$@";; esac; }`
  const said = execFileSync('sh', ['-c', `exec 2>&1\n${curl}\n${firstPayment(ready.baseUrl, ready.credentials)}`], {
    encoding: 'utf8',
  }).split('\n')
  expect(said).toContain('{"apiKey":"mfano-key","apiSecret":"it\'s $HOME"}')
  expect(said).toContain('Authorization: Bearer a.b-c')
  expect(said).toContain('http://127.0.0.1:8080/api/sandbox/v1/send-money')
  const payment = said.find((line) => line.startsWith('{"phoneNumber"')) ?? ''
  expect(JSON.parse(payment)).toMatchObject({ callbackUrl: 'http://127.0.0.1:8080/_mfano/inbox/hello' })
})

test('over HTTPS, the shell commands trust the file of the authority, or go by HTTP where there is none', () => {
  const secure = { ...ready, baseUrl: 'https://127.0.0.1:8080' }
  const kept = JSON.parse(readyLine({ ...secure, authority: { file: '/data/tls/ca.pem' } }))
  expect(kept).toMatchObject({ baseUrl: secure.baseUrl, authority: '/data/tls/ca.pem' })
  expect(kept.readCallback).toBe('curl -s --cacert /data/tls/ca.pem https://127.0.0.1:8080/_mfano/inbox/hello')
  const notice = readyNotice({ ...secure, authority: { file: undefined } })
  expect(notice).toContain(
    'trust        http://127.0.0.1:8080/_mfano/ca.pem (how: https://127.0.0.1:8080/docs/https)\n',
  )
  expect(notice).toContain('curl -s http://127.0.0.1:8080/_mfano/inbox/hello\n')
})

test('a guarded inbox is read with the token, which is not printed', () => {
  expect(readInbox(ready.baseUrl, false)).toBe('curl -s http://127.0.0.1:8080/_mfano/inbox/hello')
  expect(readInbox(ready.baseUrl, true)).toContain('Bearer $MFANO_ADMIN_TOKEN')
})

const settings = { host: '127.0.0.1', port: 80, data: '/data' }
const unusable = (code: string) => storageFailure({ code }, '/data/a.db')
const failure = (fields: object, message = 'it failed') => Object.assign(new Error(message), fields)

test.for<[error: unknown, message: RegExp]>([
  [failure({ code: 'EADDRINUSE' }), /^Port 80 of 127\.0\.0\.1 is in use\. .*--port 9090/],
  [failure({ code: 'EACCES', syscall: 'listen' }), /^Port 80 is reserved for the administrator/],
  [failure({ code: 'EADDRNOTAVAIL' }), /^This machine has no address 127\.0\.0\.1/],
  [failure({ code: 'EACCES', syscall: 'mkdir' }), /^The data directory \/data cannot be used \(it failed\)/],
  [failure({ code: 'ENOSPC', syscall: 'mkdir' }), /^The data directory \/data cannot be used \(it failed\)/],
  [unusable('SQLITE_READONLY_DIRECTORY'), /^\/data\/a\.db cannot be written .*read-only .*\n.*chown.*--data/],
  [unusable('SQLITE_CORRUPT'), /^\/data\/a\.db is damaged .*\n.*copy back/],
  [unusable('SQLITE_FULL'), /^\/data\/a\.db cannot be written .*disk is full.*\nMake room/],
  [unusable('SQLITE_CANTOPEN_ISDIR'), /^\/data\/a\.db cannot be opened .*it is no file.*\n.*ls -ld/],
  [failure({ name: 'ScenarioError' }, 'a.yaml:3:5: unknown key'), /^a\.yaml:3:5: unknown key$/],
  [failure({ hint: 'Do this.' }), /^it failed\nDo this\.$/],
  [failure({}), /^mfano could not start, and does not know why:\nError: it failed\n {4}at /],
  ['just text', /^just text$/],
])('a failed start says why and what to do: %o', ([error, message]) => {
  expect(startFailure(error, settings)).toMatch(message)
})
