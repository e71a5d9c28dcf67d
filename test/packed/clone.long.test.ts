/** A clone runs its sources, so a build that replaces `dist` does not break a server that runs from the clone. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, symlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')

/** A whole build, on a machine that may be busy. */
const BUILD_MS = 300_000

it('serves the service, the control plane and pages after a build under the running server', {
  timeout: BUILD_MS,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'mfano-clone-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const name of [
    'bin',
    'install',
    'scenarios',
    'src',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'dist',
  ])
    cpSync(join(root, name), join(folder, name), { recursive: true, preserveTimestamps: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const server = spawn(process.execPath, [join(folder, 'bin/mfano.js'), '--port', '0', '--data', ':memory:', '--json'])
  onTestFinished(() => void server.kill('SIGKILL'))
  const [line] = await once(server.stdout, 'data')
  const { baseUrl, credentials } = JSON.parse(line)
  const { apiKey, apiSecret } = credentials
  const html = { headers: { accept: 'text/html' } }
  const page = await (await fetch(`${baseUrl}/_mfano/`, html)).text()

  const build = new AbortController()
  onTestFinished(() => build.abort())
  await run(process.execPath, [join(folder, 'install/build.ts')], { cwd: folder, signal: build.signal })

  const headers = { 'content-type': 'application/json' }
  const token = { method: 'POST', headers, body: JSON.stringify({ apiKey, apiSecret }) }
  const asked = [
    fetch(`${baseUrl}/api/v1/get-token`, token),
    ...['/_mfano/clock', '/_mfano/openapi.json', '/docs/settings', '/openapi.json', '/_mfano/metrics'].map((path) =>
      fetch(baseUrl + path),
    ),
    ...[...page.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g)].map(([, file = '']) =>
      fetch(new URL(file, `${baseUrl}/_mfano/`)),
    ),
  ]
  expect(asked.length).toBeGreaterThan(7)
  const answers = await Promise.all(asked)
  const failed = answers.filter(({ status }) => status >= 500 || status === 404)
  expect(failed.map(({ url, status }) => [url, status])).toEqual([])
  expect(answers[0]?.status).toBe(200)
})
