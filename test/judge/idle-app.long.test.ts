/** An app that does nothing is not judged, and one that leaves processes behind holds nobody up. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { answer, folder } from '../apps/cli/support.ts'

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

it('says in a search, too, how the app answered each act', async () => {
  const { code, out } = await answer(['explore', merchant(answering(404)), '--schedules', '3', '--json'])
  expect(code).toBe(2)
  const { unjudged, findings } = JSON.parse(out)
  expect(findings).toEqual([])
  expect(unjudged).toContain('/salaries 404, /retry 404')
  expect(unjudged).toContain('Traceback: no such page /retry')
})

it('judges an app to the end that left a process with its output open, and ends that', async () => {
  const left = `spawn('sleep', ['1234'], { detached: true, stdio: 'inherit' }).unref()\n`
  const { code, out } = await answer([
    'gauntlet',
    merchant(left + answering(404)),
    '--scenario',
    'late-reversal',
    '--json',
  ])
  expect(code).toBe(2)
  expect(JSON.parse(out).scenarios[0].verdict).toBe('unjudged')
  expect(JSON.parse(out).warnings).toMatchObject([
    {
      code: 'process_left_behind',
      text: expect.stringMatching(/The app left 1 process .*ended it: sleep 1234 \(\d+\)/),
    },
  ])
})
