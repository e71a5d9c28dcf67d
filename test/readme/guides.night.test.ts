/** The commands of guides that need more than a mfano: a service that is another one, or TLS. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, type TestContext, vi } from 'vitest'
import { readDocument } from '../support/examples.ts'
import { folder } from '../support/folder.ts'
import { needs } from '../support/needs.ts'
import { mfano } from '../support/program.ts'
import { entry } from '../support/program-entry.ts'
import { type Block, blocksOf, commandsOf, printedAs } from './blocks.ts'
import { root } from './pages.ts'

vi.setConfig({ testTimeout: 600_000 })

/** The block of a page that shows a command, which is its first. */
function shownBy(page: string, command: string): Block {
  const all = blocksOf(readDocument(root, `src/docs/${page}.md`), 'text')
  const found = all.find(({ text }) => text.includes(command))
  if (!found) throw new Error(`${page} does not show ${command}`)
  return found
}

/** Runs what is shown, in a folder. `there`: what stands in the place of an address or a word of the page. */
function run(lines: string[], cwd: string, there: Record<string, string>, env: Record<string, string> = {}) {
  const script = [
    `mfano() { '${process.execPath}' '${entry}' "$@"; }`,
    'npx() { "$@"; }',
    ...lines.map((line) => Object.entries(there).reduce((text, [from, to]) => text.replaceAll(from, to), line)),
  ].join('\n')
  return new Promise<{ code: unknown; out: string; errors: string }>((resolve) =>
    execFile('bash', ['-c', script], { cwd, env: { ...process.env, ...env } }, (error, out, errors) =>
      resolve({ code: error ? error.code : 0, out, errors }),
    ),
  )
}

it('calibrate: the first command plans, and the next asks a service', async () => {
  const cwd = folder()
  const plan = shownBy('calibrate', '--plan')
  const planned = await run(commandsOf(plan), cwd, {})
  expect(planned).toMatchObject({ code: 0, errors: '' })
  const { actual, pattern } = printedAs(plan.printed as NonNullable<Block['printed']>, `${planned.out}\n…`)
  expect(actual).toMatch(new RegExp(pattern.source.replace(/\$$/, '')))

  const service = mfano('start', '--port', '0', '--data', join(cwd, 'service'), '--tls')
  const { baseUrl, credentials } = await service.ready()
  const there = { 'https://api.provider.example': baseUrl.replace(/^http:/, 'https:'), '…': 'KEY' }
  const keys = { PAYMENTS_KEY: credentials.apiKey, PAYMENTS_SECRET: credentials.apiSecret }
  const env = { ...keys, PAYMENTS_COMPANY: credentials.companyId, NODE_EXTRA_CA_CERTS: join(cwd, 'service/tls/ca.pem') }
  const ask = shownBy('calibrate', '--out measured.yaml')
  const asked = await run(
    commandsOf(ask).map((line) => `${line} --pace 0s`),
    cwd,
    there,
    env,
  )
  expect(asked).toMatchObject({ code: 0, errors: '' })
  expect(asked.out).toMatch(/^holds +error-body: nested$/m)
  expect(asked.out).toMatch(/\d+ holds, \d+ could not be told, \d+ not asked\.\n\d+ requests, 0 payments/)
  for (const name of ['measured.yaml', 'measured.json']) expect(existsSync(join(cwd, name))).toBe(true)
})

it('https: what is started is trusted by its file, and vouches for receivers', async (context: TestContext) => {
  needs('curl', context)
  const cwd = folder()
  const [start = '', ask = ''] = commandsOf(shownBy('https', 'mfano start --tls'))
  const flags = start.split(' ').slice(1).join(' ').replace('./data', join(cwd, 'data')).split(' ')
  const { baseUrl } = await mfano(...flags, '--port', '0').ready()
  const there = { 'localhost:8080': `localhost:${new URL(baseUrl).port}` }
  const healthy = await run([ask], cwd, there)
  expect(healthy).toMatchObject({ code: 0, out: expect.stringContaining('"status":"ok"') })
  await run(commandsOf(shownBy('https', 'curl -o mfano-ca.pem')), cwd, there)
  expect(readFileSync(join(cwd, 'mfano-ca.pem'), 'utf8')).toBe(readFileSync(join(cwd, 'data/tls/ca.pem'), 'utf8'))
  const [issue = '', ...printed] = shownBy('https', 'mfano certificate').text.split('\n')
  const issued = await run([issue], cwd, there)
  const { actual, pattern } = printedAs({ language: 'text', text: printed.join('\n') }, issued.out)
  expect(actual).toMatch(pattern)
})
