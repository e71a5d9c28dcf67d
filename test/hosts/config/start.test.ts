import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { folder } from '../../apps/cli/support.ts'
import { mfano, mfanoAsTyped } from '../../support/program.ts'
import { entry } from '../../support/program-entry.ts'

const IN_MEMORY = ['--data', ':memory:']

test('tells people without a terminal what they can paste, and programs that ask for it one line of JSON', async () => {
  const first = (...flags: string[]) => text(mfanoAsTyped('--port', '0', '--data', ':memory:', ...flags).child)
  expect(await first()).toMatch(/^\n {2}mfano \S+ is ready\n[\s\S]*\nTOKEN=\$\(curl /)
  for (const flags of [['--json'], ['--log', 'json']])
    expect(JSON.parse(await first(...flags))).toMatchObject({ event: 'ready' })
})

/** All that it says until it is ready. */
async function text({ stdout }: ChildProcess): Promise<string> {
  let said = ''
  for await (const piece of stdout ?? []) {
    said += piece
    if (/inbox\/hello\n|"\}\n/.test(said)) break
  }
  return said
}

test('says that it is ready when it is, and stops when told to', async () => {
  const { child, ended, ready } = mfano('--port', '0', ...IN_MEMORY)
  const told = await ready()
  expect(told).toMatchObject({ event: 'ready', scenario: 'default', credentials: { apiKey: 'mfano-key' } })
  expect((await fetch(`${told.baseUrl}/_mfano/health`)).status).toBe(200)

  child.kill('SIGTERM')
  expect(await ended).toEqual({ code: 0, errors: '' })
})

test('a port that is in use is said plainly', async () => {
  const { port } = await mfano('--port', '0', ...IN_MEMORY).ready()
  const { code, errors } = await mfano('--port', String(port), ...IN_MEMORY).ended
  expect({ code, errors }).toEqual({
    code: 1,
    errors: expect.stringMatching(new RegExp(`^mfano: Port ${port} of 127\\.0\\.0\\.1 is in use\\. .*\\n$`)),
  })
})

const hasIpv6 = Object.values(networkInterfaces())
  .flat()
  .some((one) => one?.address === '::1')

test('answers at both loopback addresses, or at one where the other is taken or not there', async () => {
  const { port } = await mfano('--port', '0', ...IN_MEMORY).ready()
  const healthy = async (host: string) => (await fetch(`http://${host}:${port}/_mfano/health`)).ok
  expect(await healthy('127.0.0.1')).toBe(true)
  expect(await healthy('[::1]').catch(() => false)).toBe(hasIpv6)

  const other = createServer().listen(0, hasIpv6 ? '::1' : '127.0.0.2')
  await once(other, 'listening')
  const taken = (other.address() as AddressInfo).port
  const beside = await mfano('--port', String(taken), ...IN_MEMORY).ready()
  other.close()
  expect(beside.port).toBe(taken)
})

test('its commands ask it directly where a proxy is set for everything else', async () => {
  const { baseUrl } = await mfano('--port', '0', ...IN_MEMORY).ready()
  process.env['NODE_USE_ENV_PROXY'] = '1'
  process.env['HTTP_PROXY'] = 'http://127.0.0.1:9'
  const asked = mfanoAsTyped('world', 'list', '--url', baseUrl)
  delete process.env['NODE_USE_ENV_PROXY']
  delete process.env['HTTP_PROXY']
  expect(await asked.ended).toEqual({ code: 0, errors: '' })
})

test('bad settings stop the start', async () => {
  expect(await mfanoAsTyped('--prot', '1').ended).toEqual({
    code: 2,
    errors: 'mfano: Unknown flag --prot. Did you mean "--port"?\nmfano start --help says how.\n',
  })
})

test('keeps worlds in the state folder, says so, and leaves the folder that it is started in alone', async () => {
  const [here, state] = [folder(), folder()]
  const env = { PATH: process.env['PATH'], HOME: state, XDG_STATE_HOME: state }
  const child = spawn(process.execPath, [entry, '--port', '0', '--log', 'off', '--json'], { cwd: here, env })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ready = JSON.parse((await createInterface(child.stdout)[Symbol.asyncIterator]().next()).value as string)
  expect(ready.data).toBe(join(state, 'mfano'))
  expect(readdirSync(here)).toEqual([])
  expect(readdirSync(ready.data)).toContain('default.db')
})
