import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'

const started: ChildProcess[] = []
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
})

/** Runs `mfano` with flags; MFANO_ variables of the developer's shell do not count. */
function mfano(...flags: string[]) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:MFANO_|PORT$|npm_)/.test(name)))
  const entry = new URL('../../src/cli.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [entry, ...flags], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += text
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const ended = once(child, 'close').then(([code]) => ({ code, errors }))
  return { child, ended, line: async () => JSON.parse((await lines.next()).value as string) }
}

const quiet = ['--data', ':memory:', '--log', 'off']

test('says that it is ready when it is, and stops when told to', async () => {
  const { child, ended, line } = mfano('--port', '0', ...quiet)
  const ready = await line()
  expect(ready).toMatchObject({ event: 'ready', scenario: 'default', credentials: { apiKey: 'mfano-key' } })
  expect((await fetch(`${ready.baseUrl}/_mfano/health`)).status).toBe(200)

  child.kill('SIGTERM')
  expect(await ended).toEqual({ code: 0, errors: '' })
})

test('a port that is in use is said plainly', async () => {
  const { port } = await mfano('--port', '0', ...quiet).line()
  const { code, errors } = await mfano('--port', String(port), ...quiet).ended
  expect({ code, errors }).toEqual({
    code: 1,
    errors: expect.stringMatching(new RegExp(`^mfano: Port ${port} of 127\\.0\\.0\\.1 is in use\\. .*\\n$`)),
  })
})

test('bad settings stop the start', async () => {
  expect(await mfano('--prot', '1').ended).toEqual({
    code: 2,
    errors: 'mfano: Unknown flag --prot. Did you mean "--port"?\nmfano start --help says how.\n',
  })
})
