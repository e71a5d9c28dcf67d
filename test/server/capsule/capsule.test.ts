/** A capsule repeats a world elsewhere: every id, time and callback, as often as somebody likes. */
import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished, vi } from 'vitest'
import * as z from 'zod'
import { openCapsule } from '../../../src/apps/cli/replay-command.ts'
import { inWorld } from '../../../src/apps/testing/fixture.ts'
import { startMfano } from '../../../src/apps/testing/index.ts'
import { controlOf } from '../../../src/client/control.ts'
import { sealedFile } from '../../../src/core/world-image.ts'
import { packCapsule, unpackCapsule } from '../../../src/server/capsule.ts'
import type { RepeatedCapsule } from '../../../src/server/replay.ts'
import { answer, command, folder } from '../../apps/cli/support.ts'
import { sent } from '../../service/assumptions/sent.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'
import { mfano } from '../../support/program.ts'
import { entry } from '../../support/program-entry.ts'

const bench = useBench()

const scenario = {
  name: 'busy',
  description: 'Odds, faults and retries.',
  extends: 'default',
  seed: 11,
  callbacks: { retry: { attempts: 3, backoff: ['10s', '1m'] } },
  assumptions: { 'callback-signature': 'standard-webhooks' },
  rules: [{ name: 'some fail', on: 'till', chance: 0.4, then: { after: '1s..5m', end: 'FAILED' } }],
  faults: [{ name: 'every third payout', on: 'POST /api/sandbox/v1/send-money', nth: 3, then: { status: 503 } }],
}

/** All sorts of things that come to a world from outside. */
async function use(world: TestWorld): Promise<void> {
  bench.receiver.answer = ({ body }) =>
    body?.requestId === undefined || bench.receiver.received.length % 2 ? 500 : 200
  await world.raw('POST', '/api/v1/get-token', { body: { apiKey: 'mfano-key', apiSecret: 'somebody-elses-secret' } })
  await world.get('/api/sandbox/v1/nowhere', { token: 'a.foreign.token-of-the-real-service' })
  await bench.pay(world, { referenceId: 'a' })
  const uuid = await bench.pay(world, { referenceId: 'b', phoneNumber: '254711000404' })
  // Not worked on: the third meets the fault.
  for (const amount of [10, -5]) await world.post('/api/sandbox/v1/send-money', { amount })
  await world.advance('3s')
  await world.control('POST', '/collections/stk', { phoneNumber: '254712345678', amount: 250 })
  await world.control('POST', '/wallets/fund', { currency: 'KES', amount: 77 })
  await world.control('PUT', '/scenario', { ...scenario, name: 'busier', rules: [] })
  const last = await bench.pay(world)
  await world.control('POST', `/payments/${last}/resolve`, { status: 'FAILED' })
  await world.control('PATCH', '/clock', { mode: 'scaled', rate: 20 })
  await world.advance('10m')
  await world.get(`/api/sandbox/v1/send-money/${uuid}`)
}

/** The capsule of a world, as a file. */
async function capsuleOf(world: TestWorld, why = 'books differ'): Promise<string> {
  const response = await controlOf(world.baseUrl).open('GET', '/capsule', { query: { why } })
  const file = join(folder(), 'run.capsule')
  writeFileSync(file, new Uint8Array(await response.arrayBuffer()))
  return file
}

/** Repeats it, and gives what came out otherwise. */
async function differencesOf(file: string): Promise<string[]> {
  const replay = await openCapsule(file)
  try {
    while (await replay.next()) {
      // One after the other.
    }
    return await replay.differences()
  } finally {
    replay.close()
  }
}

const recorded = (more: Parameters<typeof bench.world>[0] = {}) => bench.world({ scenario, record: true, ...more })

it('repeats every id, time and callback, every time', async () => {
  const world = await recorded()
  await use(world)
  const file = await capsuleOf(world)
  for (let times = 0; times < 3; times++) expect(await differencesOf(file)).toEqual([])
})

it('repeats a world whose clock runs by itself', async () => {
  const world = await recorded({ clock: { mode: 'scaled', rate: 20 } })
  await use(world)
  await world.control('POST', '/wait', { for: 'payment', where: 'payment.status == "SUCCESS"' })
  expect(await differencesOf(await capsuleOf(world))).toEqual([])
})

it('repeats what is taken in another way than by default', async () => {
  const assumptions = {
    'trailing-slash': '308',
    'unsupported-method': '404',
    'unsupported-media-type': 'accept',
  }
  const world = await recorded({ scenario: { ...scenario, assumptions } })
  const api = '/api/sandbox/v1'
  const asked: Parameters<typeof sent>[] = [
    [world, 'GET', `${api}/nowhere`],
    [world, 'GET', `${api}/nowhere`, { headers: { authorization: 'Bearer a.foreign.token' } }],
    [world, 'OPTIONS', `${api}/till`],
    [world, 'GET', `/${api}/till/all`],
    [world, 'GET', `${api}/till/all/`],
    [world, 'HEAD', `${api}/till/all`],
    [world, 'POST', `${api}/till`, { headers: { 'content-type': 'text/plain' }, body: Buffer.from('\uFEFF{}') }],
  ]
  const statuses: number[] = []
  for (const one of asked) statuses.push((await sent(...one)).status)
  expect(statuses).toEqual([404, 404, 404, 404, 308, 200, 400])
  expect(await differencesOf(await capsuleOf(world))).toEqual([])
})

it('repeats a fork from where it began', async () => {
  const first = await recorded()
  await use(first)
  const fork = await bench.world({ from: first.id, record: true })
  await bench.pay(fork, { referenceId: 'after' })
  await fork.advance('1d')
  const { code, out } = await answer(['replay', await capsuleOf(fork), '--json'])
  expect(JSON.parse(out)).toMatchObject({ world: fork.id, identical: true, differences: [] })
  expect(code).toBe(0)
  expect(out).not.toMatch(/busier/)
})

it('repeats payments whose secrets it left out', async () => {
  const world = await recorded()
  await bench.pay(world, {
    callbackUrl: bench.receiver.url('/told?token=q7Zk-9Xw'),
    remarks: 'card 4111 1111 1111 1111',
  })
  await bench.pay(world, { apiKey: 'q7Zk-9Xw', user: '{"pin":"q7Zk-9Xw"}' })
  await world.advance('10s')
  const file = await capsuleOf(world)
  expect(await differencesOf(file)).toEqual([])
  const text = JSON.stringify((await openCapsule(file)).capsule)
  expect(text).not.toMatch(/q7Zk-9Xw|4111 1111/)
})

it('prints no control character and no command of a runner that somebody wrote into it', async () => {
  const file = await capsuleOf(await recorded(), 'a\u001b[2J\u009b31m\n::stop-commands::b')
  const { out, errors } = await command(['replay', file])
  expect(out).toMatch(/a\\u001b\[2J/)
  expect(out + errors).not.toMatch(/[\p{Cc}--\n]|^::/mv)
})

it.each(['constructor', '__proto__', 'toString'])('refuses a capsule with a command named %s', async (command) => {
  const capsule = await unpackCapsule(readFileSync(await capsuleOf(await recorded())))
  const file = join(folder(), 'odd.capsule')
  capsule.entries.push({ n: 0, atUs: capsule.recording.beganUs, command: { command } } as never)
  writeFileSync(file, await packCapsule(capsule))
  const { code, errors } = await answer(['replay', file])
  expect([code, errors]).toEqual([2, expect.stringContaining(`there is no command "${command}"`)])
})

it('tells the events, and holds no secret but those of the sandbox', async () => {
  const world = await recorded()
  await use(world)
  const file = await capsuleOf(world)
  const { code, out } = await answer(['replay', file])
  expect(code).toBe(0)
  expect(out).toMatch(/books differ/)
  expect(out).toMatch(/POST \/api\/sandbox\/v1\/send-money → 201/)
  expect(out).toMatch(/the scenario busier comes into force/)
  expect(out).toMatch(/Identical/)
  const replay = await openCapsule(file)
  const text = JSON.stringify(replay.capsule)
  replay.close()
  expect(text).not.toMatch(/somebody-elses-secret|token-of-the-real-service/)
})

it('stops before an event and serves the world as it was then, dashboard and all', async () => {
  const world = await recorded()
  await use(world)
  const file = await capsuleOf(world)
  const all: RepeatedCapsule[] = JSON.parse((await answer(['replay', file, '--json'])).out).events
  const third = all.filter(({ what }) => what.endsWith('send-money → 201'))[2] as RepeatedCapsule
  const before = all.slice(0, third.event - 1).filter(({ what }) => /send-money → 201$|open-payment/.test(what))
  const baseUrl = await servedAt('replay', file, '--until', String(third.event))
  expect(await controlOf(baseUrl)('GET', '/payments')).toMatchObject({ total: before.length })
  const page = await fetch(`${baseUrl}/_mfano/`, { headers: { accept: 'text/html' } })
  expect(page.status).toBe(200)
})

/** Runs a command that serves a world, for as long as the test runs, and gives where. */
async function servedAt(...typed: string[]): Promise<string> {
  const child = spawn(process.execPath, [entry, ...typed])
  onTestFinished(() => void child.kill('SIGKILL'))
  let said = ''
  for await (const text of child.stdout) {
    said += text
    const [, url] = /Serving the world at (\S+),/.exec(said) ?? []
    if (url !== undefined) return url
  }
  throw new Error(`It was not served: ${said}`)
}

it('is written by itself when a test fails, and named in its report', async () => {
  const capsules = folder()
  vi.stubEnv('MFANO_CAPSULES', capsules)
  onTestFinished(() => void vi.unstubAllEnvs())
  await using kit = await startMfano()
  let told = ''
  const failing = inWorld(
    kit,
    {},
    'a till is paid',
    async (world) => {
      await world.payment.collect({ way: 'stk', phoneNumber: '254712345678', amount: 250 })
      throw new Error('red')
    },
    (report) => {
      told = report
    },
  )
  await expect(failing).rejects.toThrow('red')
  const file = /mfano replay (\S+)/.exec(told)?.[1] ?? ''
  expect(file.startsWith(capsules)).toBe(true)
  expect(await differencesOf(file)).toEqual([])
})

async function refusesToReplay(file: string, content: Uint8Array, said: RegExp): Promise<void> {
  writeFileSync(file, content)
  const { code, errors } = await answer(['replay', file])
  expect(errors).toMatch(said)
  expect(code).toBe(2)
}

it('says what is wrong with a file that is none, is damaged, or is newer', async () => {
  const file = await capsuleOf(await recorded())
  const bytes = readFileSync(file)
  const newer = Buffer.from(bytes.toString('latin1').replace('mfano capsule 1', 'mfano capsule 7'), 'latin1')
  const cases: [Uint8Array, RegExp][] = [
    [Buffer.from('hello'), /must begin like "mfano capsule 1/],
    [bytes.subarray(0, bytes.length - 9), /altered or cut short/],
    [newer, /format 7.*reads format 1/],
  ]
  for (const [content, said] of cases) await refusesToReplay(file, content, said)
})

it('says what is wrong with one whose shape is wrong, or that unpacks to more than can be held', async () => {
  const file = await capsuleOf(await recorded())
  const capsule = await unpackCapsule(readFileSync(file))
  const { entries, recording } = capsule
  const cases: [object, RegExp][] = [
    [{ recording: undefined }, /what it holds cannot be read: .*recording/s],
    [{ entries: 7 }, /what it holds cannot be read: .*entries/s],
    [{ recording: { ...recording, scenario: {} } }, /is no capsule that can be replayed: /],
    [{ entries: [...entries, { n: 4711, atUs: 1 }] }, /its event \d+ cannot be/],
  ]
  const anything = sealedFile('capsule', z.unknown(), (what) => new Error(what))
  const bomb = await anything.pack(capsule.identity, gzipSync(Buffer.alloc(100_001)))
  await expect(unpackCapsule(bomb, 100_000)).rejects.toThrow(/unpacks to more than 100000 bytes/)
  for (const [change, said] of cases) await refusesToReplay(file, await packCapsule({ ...capsule, ...change }), said)
})

it('says that a world is not recorded', async () => {
  const world = await bench.world()
  await expect(world.control('GET', '/capsule')).rejects.toThrow(/not recorded/)
})

it('is kept of the default world, and of one that the command line makes, where that was asked for', async () => {
  const { baseUrl } = await mfano('--port=0', '--data=:memory:', '--record').ready()
  const made = await answer(['world', 'create', 'shop', '--record', '--json', '--url', baseUrl])
  expect(made.code, made.errors).toBe(0)
  for (const url of [baseUrl, `${baseUrl}/w/shop`]) {
    const world = controlOf(url)
    await world('POST', '/wallets/fund', { body: { currency: 'KES', amount: 5 } })
    const file = join(folder(), 'run.capsule')
    writeFileSync(file, new Uint8Array(await (await world.open('GET', '/capsule')).arrayBuffer()))
    expect(JSON.parse((await answer(['replay', file, '--json'])).out)).toMatchObject({ identical: true })
  }
})
