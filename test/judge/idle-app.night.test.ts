/** An app that does nothing is not judged, and one that leaves processes behind holds nobody up. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readMerchantFile } from '../../src/judge/app/merchant-file.ts'
import { SubjectRunner } from '../../src/judge/explore/subject-runs.ts'
import { answer, folder } from '../apps/cli/support.ts'

/** The start of a small app, on a machine that may be busy. */
const READY_WITHIN_MS = 15_000

/** An app of a few lines, and the merchant file beside it. */
function merchant(app: string): string {
  const there = folder({
    'app.mjs': `import { spawn } from 'node:child_process'\nimport { createServer } from 'node:http'\n${app}`,
  })
  writeFileSync(
    join(there, 'merchant.yaml'),
    `name: idle
app: { command: node app.mjs, env: { PORT: "{port}" }, ready: { get: /health } }
acts: { pay: { post: /salaries }, retry: { post: /retry } }
books: { get: /books }
`,
  )
  return join(there, 'merchant.yaml')
}

const answering = (status: number) => `
createServer(({ url }, response) => {
  const known = url === '/health' || url === '/books'
  if (!known) console.error('Traceback: no such page', url)
  response.writeHead(known ? 200 : ${status}, { 'content-type': 'application/json' }).end(url === '/books' ? '[]' : '{}')
}).listen(process.env.PORT, '127.0.0.1')
`

it.each([404, 500, 200])(
  'says that an app was not judged whose acts are all answered %d and that pays nobody',
  async (status) => {
    const { code, out } = await answer([
      'gauntlet',
      merchant(answering(status)),
      '--scenario',
      'late-reversal',
      '--json',
    ])
    expect(code).toBe(2)
    const { findings, scenarios } = JSON.parse(out)
    expect(findings).toEqual([])
    expect(scenarios).toHaveLength(1)
    expect(scenarios[0]).toMatchObject({ verdict: 'unjudged' })
    expect(scenarios[0].why).toContain(`No payment was made, so there is nothing to judge.`)
    expect(scenarios[0].why).toContain(`/salaries ${status}, /retry ${status}`)
    if (status !== 200) expect(scenarios[0].why).toContain('Traceback: no such page /retry')
  },
)

it.each([
  ['that asks another mfano', 'asked > 0', 'The app asked its mfano for nothing.'],
  ['that has those of earlier days', 'true', 'Its books had 1 line before anything was asked of it'],
])('blames no app for its books %s', async (_, when, why) => {
  const app = `let asked = 0
createServer(({ url }, response) => {
  if (url === '/salaries') asked++
  const books = ${when} ? [{ reference: 'salary-1', amount: 1000, status: 'PENDING' }] : []
  response.end(JSON.stringify(url === '/books' ? books : {}))
}).listen(process.env.PORT, '127.0.0.1')
`
  const { code, out } = await answer(['gauntlet', merchant(app), '--json'])
  expect(code).toBe(2)
  expect(JSON.parse(out)).toMatchObject({
    findings: [],
    scenarios: [{ verdict: 'unjudged', why: expect.stringContaining(why) }],
  })
})

it('says in a search, too, how the app answered each act', async () => {
  const { code, out } = await answer(['explore', merchant(answering(404)), '--schedules', '3', '--json'])
  expect(code).toBe(2)
  const { unjudged, findings } = JSON.parse(out)
  expect(findings).toEqual([])
  expect(unjudged).toContain('/salaries 404, /retry 404')
  expect(unjudged).toContain('Traceback: no such page /retry')
})

it('judges an app to the end that left a process with its output open, and ends that', async () => {
  const left = `const { pid } = spawn('sleep', ['1234'], { detached: true, stdio: 'inherit' })\nwriteFileSync('pid', String(pid))\n`
  const app = merchant(`import { writeFileSync } from 'node:fs'\n${left}${answering(404)}`)
  const { code, out } = await answer(['gauntlet', app, '--scenario', 'late-reversal', '--json'])
  expect(code).toBe(2)
  expect(JSON.parse(out)).toMatchObject({ scenarios: [{ verdict: 'unjudged' }], warnings: [] })
  const at = `/proc/${readFileSync(join(app, '../pid'), 'utf8')}/cmdline`
  expect(existsSync(at) ? readFileSync(at, 'utf8') : '').toBe('')
})

/** Started, and started again before the first act. A file in `{dir}` tells the second start from the first. */
async function startedTwice(app: string): Promise<string[]> {
  const there = folder({
    'app.mjs': `import { spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
const { PORT, DATA, CHILD } = process.env
const serve = (status) => createServer((_, response) => response.writeHead(status).end('[]')).listen(PORT, '127.0.0.1')
const isFirst = !existsSync(DATA + '/started')
writeFileSync(DATA + '/started', '')
${app}`,
    'merchant.yaml': `name: again
app: { command: node app.mjs, env: { PORT: "{port}", DATA: "{dir}" }, ready: { get: /health } }
acts: { pay: { post: /salaries } }
books: { get: /books }
`,
  })
  const merchant = readMerchantFile(join(there, 'merchant.yaml'))
  const { signal } = new AbortController()
  const limits = { readyWithinMs: READY_WITHIN_MS, restWithinMs: 60_000, signal }
  const runner = await SubjectRunner.open({ merchant, seed: 1, jobs: 1, ...limits })
  try {
    return (await runner.run([{ do: 'restart', step: 1 }])).findings.map(({ code }) => code)
  } finally {
    await runner.close()
  }
}

it('finds that an app does not get ready once it was killed', async () => {
  expect(await startedTwice('serve(isFirst ? 200 : 503)')).toEqual(['not_ready'])
})

it('finds that an app cannot have its port back once it was killed', async () => {
  const app = `
if (CHILD || !isFirst) serve(200)
else spawn(process.execPath, ['app.mjs'], { env: { ...process.env, CHILD: '1' }, detached: true, stdio: 'ignore' })
setInterval(() => {}, 60_000)
`
  expect(await startedTwice(app)).toEqual(['port_taken'])
})

it('finds neither where each start listens on its port and answers', async () => {
  expect(await startedTwice('serve(200)')).toEqual([])
})
