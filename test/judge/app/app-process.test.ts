/** An app that is started again: whatever state it was in. */
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { AppProcess } from '../../../src/judge/app/app-process.ts'
import { readMerchantFile } from '../../../src/judge/app/merchant-file.ts'
import { folder } from '../../apps/cli/support.ts'
import { useBench } from '../../support/harness.ts'

const bench = useBench()

/** A service that nobody asks for anything. */
const credentials = { apiKey: 'key', apiSecret: 'secret', companyId: 'us' }
const LOOK = { method: 'GET', path: '/' }
const AROUND = { baseUrl: 'http://127.0.0.1:9', credentials, env: {} }

it('starts again what was not ended, or was ended twice', async () => {
  const directory = folder({
    'app.mjs': `
import { createServer } from 'node:http'
createServer((_, response) => response.end(String(process.pid))).listen(process.env.PORT, '127.0.0.1')
`,
    'merchant.yaml': `
app: { command: ${process.execPath} app.mjs, env: { PORT: "{port}" } }
acts: { look: { get: / } }
`,
  })
  const { signal } = new AbortController()
  const merchant = readMerchantFile(join(directory, 'merchant.yaml'))
  const patience = { withinMs: 60_000, signal }
  const app = await AppProcess.start(merchant, AROUND, patience)
  onTestFinished(() => app.stop())
  const pid = async () => (await app.ask(LOOK, {}, signal)).body.toString()
  const pids = [await pid()]
  await app.restart(patience)
  pids.push(await pid())
  app.crash()
  app.crash()
  await app.restart(patience)
  pids.push(await pid())
  expect(new Set(pids).size).toBe(3)
})

it('starts a Node app with its own options, and those that it is judged with', async () => {
  const directory = folder({
    'app.mjs': `
import { createServer } from 'node:http'
const answer = JSON.stringify({ title: process.title, options: process.env.NODE_OPTIONS })
createServer((_, response) => response.end(answer)).listen(process.env.PORT, '127.0.0.1')
`,
    'merchant.yaml': `
app:
  command: ${process.execPath} app.mjs
  env: { PORT: "{port}", NODE_OPTIONS: --title=duka }
  ready: { get: / }
clock: follow
acts: { look: { get: / } }
books: { get: / }
`,
  })
  const { signal } = new AbortController()
  const merchant = readMerchantFile(join(directory, 'merchant.yaml'))
  const { baseUrl } = await bench.world()
  const app = await AppProcess.start(merchant, { ...AROUND, baseUrl }, { withinMs: 60_000, signal })
  onTestFinished(() => app.stop())
  const { title, options } = JSON.parse((await app.ask(LOOK, {}, signal)).body.toString())
  expect(title).toBe('duka')
  expect(options).toMatch(/^--title=duka --require "[^"]+short-lived\.cjs" --import file:\S+follow-clock\.ts$/)
})
