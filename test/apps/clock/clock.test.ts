/** `node --import mfano/clock`: whatever an app uses to know and to wait for time, the world moves it. */

import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { generate } from 'selfsigned'
import { describe, expect, it } from 'vitest'
import { PRELOAD, startClockApp } from '../../support/clock-app.ts'
import { useBench } from '../../support/harness.ts'
import { listening, serving } from '../../support/listening.ts'
import { folder } from '../cli/support.ts'

const bench = useBench()
const app = (name: string) => join(import.meta.dirname, 'apps', name)

/** TypeScript that Node cannot run as it is: it has an enum. */
const TYPED = `import { createServer } from 'node:http'

enum Said {
  once = 'once',
}

const log: string[] = []
setTimeout(() => log.push(\`\${new Date().toISOString().slice(11, 19)} \${Said.once}\`), 90_000)
createServer((_, response) => response.end(JSON.stringify(log))).listen(Number(process.env['PORT']), '127.0.0.1')
`

describe('an app', () => {
  it('has its libraries, timers, time-outs and threads in the time of the world', async () => {
    const world = await bench.world()
    const { ask } = await startClockApp(world, app('libraries.cjs'), { env: { MFANO_CLOCK_PATIENCE: '500ms' } })
    const names = async () => {
      const { participants } = await world.control('GET', '/clock/participants')
      return participants.map(({ name }: { name: string }) => name)
    }
    await expect.poll(names).toEqual(['libraries.cjs', expect.stringContaining('worker')])
    await world.advance('7m')
    const log = (await ask('/')).map((line: string) => line.replace('16:28:60', '16:29:00'))
    expect(log).toEqual([
      '16:28:45 fetch TimeoutError',
      '16:29:00 measured 60000 ms',
      '16:29:30 axios ECONNABORTED',
      '16:30:00 token holds',
      '16:30:00 croner',
      '16:30:30 interval',
      '16:31:20 worker rang',
      '16:32:00 token holds',
      '16:34:00 TokenExpiredError',
    ])
  })

  it('of ES modules has its libraries in the time of the world', async () => {
    const world = await bench.world()
    const { ask } = await startClockApp(world, app('modules.mjs'), { env: { MFANO_CLOCK_PATIENCE: '500ms' } })
    await world.advance('7m')
    // undici looks at its time-outs every half second or so.
    const log = (await ask('/')).map((line: string) => line.replace(/16:29:4\d UND/, '16:29:40 UND'))
    expect(log).toEqual([
      '16:29:40 UND_ERR_HEADERS_TIMEOUT',
      '16:30:00 token holds',
      '16:31:00 node-cron',
      '16:32:00 ERR_JWT_EXPIRED',
    ])
  })

  it.each(['net', 'tls'])('has an answer of a database at the instant at which it asked, by %s', async (by) => {
    const world = await bench.world()
    const answers = (socket: Socket) =>
      void socket.on('data', (query) => setTimeout(() => socket.write(query), 20)).on('error', () => {})
    const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }])
    const slow = by === 'tls' ? createTlsServer({ cert, key }, answers) : createServer(answers)
    const env = { DATABASE: String(await listening(slow)), ...(by === 'tls' && { TLS: 'on' }) }
    const { ask } = await startClockApp(world, app('queries.mjs'), { env })
    await world.advance('35s')
    expect(await ask('/')).toEqual(['16:28:10 answered', '16:28:20 answered', '16:28:30 answered'])
  })

  it.each([
    ['as its loader', (file: string) => ['--import', import.meta.resolve('tsx'), file]],
    ['as its command', (file: string) => [fileURLToPath(import.meta.resolve('tsx/cli')), file]],
  ])('in TypeScript is run by tsx, %s', async (_, words) => {
    const world = await bench.world()
    const env = { NODE_OPTIONS: `--import ${PRELOAD}` }
    const { ask } = await startClockApp(world, join(folder({ 'typed.ts': TYPED }), 'typed.ts'), { env, words })
    await world.advance('5m')
    expect(await ask('/')).toEqual(['16:29:30 once'])
    const { participants } = await world.control('GET', '/clock/participants')
    expect(participants).toMatchObject([{ name: 'typed.ts' }])
  })

  it('goes on by itself in a world whose time does', async () => {
    const world = await bench.world({ clock: { mode: 'scaled', rate: 100, start: '2025-01-24T16:28:00Z' } })
    const { ask } = await startClockApp(world, app('calm.mjs'))
    await expect.poll(async () => (await ask('/')).fired).toBeGreaterThan(3)
    const { fired } = await ask('/')
    await world.advance('10m')
    expect((await ask('/')).fired).toBeGreaterThanOrEqual(fired + 119)
  })

  it('takes part again in a world that was reset', async () => {
    const world = await bench.world()
    const { ask } = await startClockApp(world, app('calm.mjs'))
    await world.advance('1h')
    await world.control('POST', '/reset')
    await expect.poll(async () => (await world.control('GET', '/clock/participants')).participants.length).toBe(1)
    expect((await ask('/')).now).toBe('2025-01-24T16:28:00.000Z')
    const { fired } = await ask('/')
    await world.advance('1m')
    expect((await ask('/')).fired - fired).toBe(12)
  })
})

describe('time goes on, and says without whom', () => {
  it('when an app is stopped, and with it when it goes on', async () => {
    const world = await bench.world()
    const { child, ask } = await startClockApp(world, app('calm.mjs'), { env: { MFANO_CLOCK_LEASE: '3s' } })
    await world.advance('1m')
    child.kill('SIGSTOP')
    expect(await world.advance('1m')).toMatchObject({
      now: '2025-01-24T16:30:00.000000Z',
      absent: [
        { name: 'calm.mjs', why: 'it did not come to rest within its lease', since: '2025-01-24T16:29:00.000000Z' },
      ],
    })
    child.kill('SIGCONT')
    await expect.poll(async () => (await ask('/')).fired).toBe(24)
    expect(await world.advance('1m')).not.toHaveProperty('absent')
    expect(await ask('/')).toEqual({ fired: 36, now: '2025-01-24T16:31:00.000Z' })
  })

  it('when an app is killed while it is waited for', async () => {
    const world = await bench.world()
    const { child } = await startClockApp(world, app('calm.mjs'))
    await world.advance('1m')
    child.kill('SIGSTOP')
    const advancing = world.advance('1m')
    const listed = () => world.control('GET', '/clock/participants')
    await expect.poll(listed).toMatchObject({ participants: [{ state: 'working' }] })
    child.kill('SIGKILL')
    expect(await advancing).toMatchObject({
      absent: [{ name: 'calm.mjs', why: 'its connection ended while it was at work' }],
    })
  })
})

/** Runs a line of an app, and gives how it ended. */
function run(env: Record<string, string>): Promise<{ code: number | null; out: string; errors: string }> {
  const child = spawn(process.execPath, ['--import', PRELOAD, '--eval', 'console.log(new Date().getUTCFullYear())'], {
    env: { PATH: process.env['PATH'], ...env },
  })
  let [out, errors] = ['', '']
  child.stdout.on('data', (text) => {
    out += text
  })
  child.stderr.on('data', (text) => {
    errors += text
  })
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out, errors })))
}

describe('the preload', () => {
  it('is nothing where it is off', async () => {
    const { code, out } = await run({ MFANO_CLOCK: 'off', MFANO_URL: 'http://127.0.0.1:9' })
    expect([code, out]).toEqual([0, `${new Date().getUTCFullYear()}\n`])
  })

  it('says so and ends with 2 where no mfano is', async () => {
    const { code, errors } = await run({ MFANO_URL: 'http://127.0.0.1:9/w/shop' })
    expect(code).toBe(2)
    expect(errors).toBe(
      'mfano/clock: no mfano answers at http://127.0.0.1:9/w/shop (ECONNREFUSED). Start one with "mfano", set MFANO_URL to a world\'s base URL, or run without its clock: MFANO_CLOCK=off\n',
    )
  })

  it('says what the world said where there is none of that name', async () => {
    const { code, errors } = await run({ MFANO_URL: `${bench.simulator.baseUrl}/w/nowhere` })
    expect(code).toBe(2)
    expect(errors).toContain('did not let this program take part in its time (404)')
  })

  it.each([
    [
      { MFANO_URL: 'shop' },
      'MFANO_URL: expected the base URL of a world such as http://localhost:8080/w/shop, got "shop"',
    ],
    [{ MFANO_CLOCK_LEASE: 'long' }, 'MFANO_CLOCK_LEASE: expected a duration such as 10s, got "long"'],
    [{ MFANO_CLOCK_PATIENCE: 'long' }, 'MFANO_CLOCK_PATIENCE: expected a duration such as 5s, got "long"'],
  ])('ends with 2 where a setting cannot be read: %j', async (env, said) => {
    expect(await run(env)).toEqual({ code: 2, out: '', errors: `mfano/clock: ${said}\n` })
  })

  it('has each of its settings in the documentation', () => {
    const root = join(import.meta.dirname, '../../..')
    const source = readFileSync(join(root, 'src/apps/clock/preload.ts'), 'utf8')
    const settings = [...source.matchAll(/env\['(MFANO_\w+)'\]/g)].map(([, name]) => name as string)
    expect(settings).toContain('MFANO_CLOCK')
    const documented = readFileSync(join(root, 'src/docs/settings.md'), 'utf8')
    for (const name of settings) expect(documented).toContain(`| \`${name}\` |`)
  })

  it.each([
    ['garbage', 'event: grant\ndata: {"grant":"soon"}\n\n', `the clock's address is not mfano's: it sent`],
    ['no grant', ':\n\n', 'no grant came within 0.1 s, so the time of this program stands'],
  ])('says so and lets the app live where %s comes', async (_, sent, said) => {
    const url = await serving((request, response) => {
      if (request.method === 'GET') response.writeHead(200, { 'content-type': 'text/event-stream' }).write(sent)
      else response.end('{"id":"p-1","now":"2025-01-24T16:28:00Z"}')
    })
    const env = { PATH: process.env['PATH'], MFANO_URL: url, MFANO_CLOCK_PATIENCE: '100ms' }
    const child = spawn(process.execPath, ['--import', PRELOAD, '--eval', 'process.stdin.resume()'], { env })
    const ended = new Promise((resolve) => child.once('close', resolve))
    let errors = ''
    for await (const part of child.stderr) {
      errors += part
      if (errors.includes('MFANO_CLOCK=off')) break
    }
    expect(errors).toContain(`mfano/clock: ${said}`)
    child.stdin.end()
    expect(await ended).toBe(0)
  })

  it('lets a program end that has nothing left to do', async () => {
    const world = await bench.world()
    expect(await run({ MFANO_URL: world.baseUrl })).toEqual({ code: 0, out: '2025\n', errors: '' })
  })
})
