/** A clone generates what git does not keep, again when a source has changed, and runs on while it is built. */

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, cpSync, existsSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { folder } from '../support/folder.ts'

const root = join(import.meta.dirname, '../..')

const SOURCES = ['bin', 'clients', 'install', 'scenarios', 'src', 'package.json', 'package-lock.json', 'README.md']

function cloneOf(names: readonly string[], isCopied: (path: string) => boolean = () => true): string {
  const clone = folder()
  for (const name of names)
    cpSync(join(root, name), join(clone, name), { recursive: true, preserveTimestamps: true, filter: isCopied })
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  return clone
}

it('generates at the first start, and again after a change alone', { timeout: 300_000 }, () => {
  const clone = cloneOf(SOURCES, (path) => !/(?:recorded|service)\.gen\.ts$|\.schema\.json$/.test(path))
  const start = () => execFileSync(process.execPath, [join(clone, 'bin/mfano.js'), 'version'], { encoding: 'utf8' })
  const note = join(clone, 'dist/generated.json')
  const generatedMs = () => statSync(note).mtimeMs

  expect(start()).toMatch(/^mfano \d/)
  const { files }: { files: string[] } = JSON.parse(readFileSync(note, 'utf8'))
  expect(files).toContain('src/service/examples/recorded.gen.ts')
  for (const file of files) expect(readFileSync(join(clone, file), 'utf8'), file).not.toContain('shows this part at')
  const first = generatedMs()
  start()
  expect(generatedMs()).toBe(first)

  appendFileSync(join(clone, 'src/docs/settings.md'), 'Added.\n')
  start()
  expect(readFileSync(join(clone, 'dist/made/settings.md'), 'utf8')).toMatch(/--admin-token[\s\S]*Added\.\n$/)

  rmSync(join(clone, 'scenarios/scenario.schema.json'))
  start()
  expect(existsSync(join(clone, 'scenarios/scenario.schema.json'))).toBe(true)
})

it('answers as before while a build removes dist, and after it is generated again', { timeout: 300_000 }, async () => {
  const clone = cloneOf([...SOURCES, 'dist'])
  const server = spawn(process.execPath, [join(clone, 'bin/mfano.js'), '--port', '0', '--data', ':memory:', '--json'])
  onTestFinished(() => void server.kill('SIGKILL'))
  const [line] = await once(server.stdout, 'data')
  const { baseUrl, credentials } = JSON.parse(line)
  const dashboard = await (await fetch(`${baseUrl}/_mfano/`, { headers: { accept: 'text/html' } })).text()
  const files = Array.from(
    dashboard.matchAll(/(?:src|href)="([^"]+\.(?:js|css))"/g),
    ([, file = '']) => `/_mfano/${file}`,
  )
  expect(files).not.toEqual([])
  const headers = { 'content-type': 'application/json' }
  const ask = async () => {
    const token = fetch(`${baseUrl}/api/v1/get-token`, { method: 'POST', headers, body: JSON.stringify(credentials) })
    const paths = [
      '/_mfano/clock',
      '/_mfano/openapi.json',
      '/docs/settings',
      '/openapi.json',
      '/_mfano/metrics',
      ...files,
    ]
    const answers = await Promise.all([token, ...paths.map((path) => fetch(new URL(baseUrl + path)))])
    return answers.filter(({ status }) => status !== 200).map(({ url, status }) => [url, status])
  }
  expect((await fetch(`${baseUrl}/docs`)).status).toBe(200)
  // Nothing but the dashboard and a page has been asked for yet: what a request loads later is taken from the sources.
  rmSync(join(clone, 'dist'), { recursive: true })
  expect(await ask()).toEqual([])
  execFileSync(process.execPath, [join(clone, 'install/generate.ts')])
  expect(await ask()).toEqual([])
})
