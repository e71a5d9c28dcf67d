import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { installed, userEnvironment } from '../support/packed.ts'

const run = promisify(execFile)
let folder: string
beforeAll(async () => {
  folder = await installed()
}, 300_000)

it('starts, takes a payment, tells how it ended, and stops', async () => {
  const child = spawn('npx', ['mfano', 'start', '--port', '0', '--data', ':memory:', '--json'], {
    cwd: folder,
    env: userEnvironment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const line = await createInterface(child.stdout)[Symbol.asyncIterator]().next()
  const { baseUrl, credentials } = JSON.parse(line.value as string)
  const post = async (path: string, body: object, token?: string) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const answer = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return answer.json()
  }
  const { data } = await post('/api/v1/get-token', { apiKey: credentials.apiKey, apiSecret: credentials.apiSecret })
  const till = { businessNumber: '123456', amount: 250, remarks: 'Lunch', occasion: 'Monday', referenceId: 'till-1' }
  const made = await post(
    '/api/sandbox/v1/till',
    { ...till, callbackUrl: `${baseUrl}/_mfano/inbox/till` },
    data.access_token,
  )
  expect(made).toMatchObject({ status: 201, data: { status: 'PENDING' } })

  const mfano = async (...typed: string[]) =>
    (await run('npx', ['mfano', ...typed, '--url', baseUrl], { cwd: folder, env: userEnvironment() })).stdout
  await mfano('clock', 'advance', '5s')
  expect(await mfano('inbox', 'show', 'till')).toContain(made.data.requestId)
  expect(await mfano('explain', 'till-1')).toContain('SUCCESS')

  child.kill('SIGTERM')
  // Its output closes when the last process behind npx is gone.
  await once(child, 'close')
  await expect(fetch(`${baseUrl}/_mfano/health`)).rejects.toThrow()
})

it('checks a scenario and completes', async () => {
  const mfano = async (...typed: string[]) =>
    (await run('npx', ['mfano', ...typed], { cwd: folder, env: userEnvironment() })).stdout
  expect(await mfano('scenario', 'lint', 'late-reversal')).toMatch(/^late-reversal: ok/)
  expect(await mfano('__complete', 'words', 'clock', 'adv')).toMatch(/^advance\t/)
})
