/** Callbacks of a world elsewhere, received on this machine: a real receiver, and connections that are cut. */

import { type ChildProcess, spawn } from 'node:child_process'
import { connect, createServer, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { afterEach, expect, it } from 'vitest'
import { forwardedTo, type RelayNews, relay } from '../../../src/apps/cli/listen-command.ts'
import { serverOf } from '../../../src/apps/cli/server.ts'
import { controlOf } from '../../../src/client/control.ts'
import type { RemoteEnd } from '../../../src/core/model/remote.ts'
import { callbackSender } from '../../../src/hosts/node/callback-sender.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'
import { listening as listeningAt } from '../../support/listening.ts'
import { needsProcess } from '../../support/needs.ts'
import { entry } from '../../support/program-entry.ts'
import { dataDirectory, startOn } from '../../support/restart.ts'
import { EventReader } from '../../support/stream.ts'

const bench = useBench()
/** Nobody can be reached there: a callback that gets through came by a forwarder. */
const NOWHERE = 'http://shop.invalid/hooks/paid?order=7'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** `mfano listen` in this process; resolves once its world knows it. */
async function listening(
  baseUrl: string,
  {
    name = 'laptop',
    forwardTo = bench.receiver.url('/'),
    callbackUrl,
  }: { name?: string; forwardTo?: string; callbackUrl?: string } = {},
) {
  const news: RelayNews[] = []
  const interruption = new AbortController()
  const { send, close } = callbackSender()
  const server = serverOf({ get: (flag) => (flag === 'url' ? baseUrl : undefined) })
  const joined = Promise.withResolvers<void>()
  const ended: Promise<RemoteEnd> = relay({
    control: server.control,
    patient: server.within('for-ever').control,
    joining: { name, forwardTo, callbackUrl, lease: '1m' },
    forwardTo: new URL(forwardTo),
    send,
    signal: interruption.signal,
    told: (one) => {
      news.push(one)
      if (one.type === 'joined') joined.resolve()
    },
  })
  const stop = async () => {
    interruption.abort()
    close()
    return ended
  }
  closing.push(stop)
  await Promise.race([joined.promise, ended])
  return { news, ended, stop }
}

/** What became of the callback of a payment. */
async function triesOf(world: TestWorld, at = 0) {
  const { callbacks } = await world.control('GET', '/callbacks')
  const { state, tries } = await world.control('GET', `/callbacks/${callbacks[at].id}`)
  return { state, tries }
}

/** A way to the server whose connections can be cut. */
async function cuttable(baseUrl: string) {
  const sockets = new Set<Socket>()
  let target = new URL(baseUrl)
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    }
    near.pipe(far).pipe(near)
  })
  const port = await listeningAt(server, (close) => closing.push(close))
  const cut = () => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  closing.push(cut)
  const lead = (to: string) => {
    target = new URL(to)
  }
  return { cut, lead, url: `http://127.0.0.1:${port}` }
}

it('posts callbacks as they are, and what the receiver answers is the attempt, retried by the scenario', async () => {
  const scenario =
    'name: signed\ndescription: Signed.\nextends: default\nassumptions: { callback-signature: standard-webhooks }\n'
  const world = await bench.world({ scenario })
  const { news } = await listening(world.baseUrl)
  const answers = [503, 200]
  bench.receiver.answer = () => answers.shift() as number
  await bench.pay(world, { callbackUrl: NOWHERE })
  await world.control('POST', '/clock/settle', {})

  const { state, tries } = await triesOf(world)
  expect(state).toBe('delivered')
  const sentTo = bench.receiver.url('/hooks/paid?order=7')
  expect(tries).toMatchObject([
    {
      forwarder: 'laptop',
      url: sentTo,
      status: 503,
      diagnosis: { what: expect.stringMatching(/^laptop forwarded it: /) },
    },
    { forwarder: 'laptop', url: sentTo, status: 200, responseBody: 'noted', error: null },
  ])
  const { received } = bench.receiver
  expect(received.map(({ path }) => path)).toEqual(['/hooks/paid?order=7', '/hooks/paid?order=7'])
  for (const [at, { headers }] of received.entries()) expect(headers).toMatchObject(tries[at].headers)
  expect(received[0]?.headers['webhook-signature']).toMatch(/^v1,/)
  const { callbacks } = await world.control('GET', '/callbacks')
  expect(received[0]?.body).toEqual(callbacks[0].body)
  expect(news.filter(({ type }) => type === 'forwarded')).toMatchObject([{ status: 503 }, { status: 200, sentTo }])
})

it('loses nothing and posts nothing twice when its connection is cut while the receiver thinks', async () => {
  const world = await bench.world()
  const { url, cut } = await cuttable(world.baseUrl)
  const { news } = await listening(world.baseUrl.replace(new URL(world.baseUrl).origin, url))
  const seen = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<number>()
  bench.receiver.answer = () => {
    seen.resolve()
    return answer.promise
  }
  await bench.pay(world, { callbackUrl: NOWHERE })
  const advanced = world.advance('1m')
  await seen.promise
  cut()
  await expect.poll(() => news.some(({ type }) => type === 'reconnecting')).toBe(true)
  answer.resolve(200)
  expect(await advanced).toMatchObject({ callbacks: { delivered: 1, failed: 0 } })
  expect(bench.receiver.received).toHaveLength(1)
  expect((await triesOf(world)).tries).toMatchObject([{ status: 200, forwarder: 'laptop' }])

  // What comes while the connection is lost waits for it.
  bench.receiver.answer = 200
  cut()
  await bench.pay(world, { callbackUrl: NOWHERE })
  expect(await world.advance('1m')).toMatchObject({ callbacks: { delivered: 1, failed: 0 } })
  expect(bench.receiver.received).toHaveLength(2)
})

it('goes on in a world that was reset', async () => {
  const world = await bench.world()
  const { news } = await listening(world.baseUrl)
  const joined = () => news.filter(({ type }) => type === 'joined').length
  for (const round of [1, 2]) {
    world.logout()
    await bench.pay(world, { callbackUrl: NOWHERE })
    expect(await world.advance('1m')).toMatchObject({ callbacks: { delivered: 1 } })
    await world.control('POST', '/reset')
    await expect.poll(joined).toBe(round + 1)
  }
  // The same payment again, with the same ids: it is another world.
  expect(bench.receiver.received).toHaveLength(2)
})

it('takes those of its own world and address alone, and names who answered', async () => {
  const [world, other] = [await bench.world(), await bench.world()]
  await listening(world.baseUrl, {
    name: 'shop',
    callbackUrl: 'http://shop.invalid/',
    forwardTo: bench.receiver.url('/shop'),
  })
  await listening(world.baseUrl, { name: 'rest', forwardTo: bench.receiver.url('/rest') })
  const urls = [
    NOWHERE,
    'http://payroll.invalid/hook',
    `${world.baseUrl}/_mfano/inbox/mine`,
    bench.receiver.url('/direct'),
  ]
  for (const callbackUrl of urls) await bench.pay(world, { callbackUrl })
  await bench.pay(other, { callbackUrl: bench.receiver.url('/other') })
  await world.advance('1m')
  await other.advance('1m')
  const told = await Promise.all([0, 1, 2, 3].map((at) => triesOf(world, at)))
  expect(told.map(({ tries }) => tries[0].forwarder).sort()).toEqual(['rest', 'rest', 'shop', null].sort())
  expect(bench.receiver.received.map(({ path }) => path).sort()).toEqual(['/other', '/rest', '/rest', '/shop?order=7'])
  expect((await world.control('GET', '/inbox/mine')).messages).toHaveLength(1)
  expect((await world.control('GET', '/forwarders')).forwarders).toMatchObject([
    { name: 'shop', state: 'connected', answered: 1, open: 0, callbackUrl: 'http://shop.invalid/' },
    { name: 'rest', state: 'connected', answered: 2, open: 0, callbackUrl: null, lease: '1m' },
  ])
})

it('gives way to another one of its name', async () => {
  const world = await bench.world()
  const first = await listening(world.baseUrl)
  await listening(world.baseUrl)
  expect(await first.ended).toBe('replaced')
  await bench.pay(world, { callbackUrl: NOWHERE })
  expect(await world.advance('1m')).toMatchObject({ callbacks: { delivered: 1 } })
})

it('is sent what is open on its newest stream, and not on the one before', async () => {
  const world = await bench.world()
  const joining = { name: 'twice', forwardTo: 'http://localhost:3000', lease: '1m' }
  const { id } = await world.control('POST', '/forwarders', joining)
  const read = () => EventReader.open(`${world.baseUrl}/_mfano/forwarders/${id}/deliveries`)
  const before = await read()
  await bench.pay(world, { callbackUrl: NOWHERE })
  const advanced = world.advance('5s')
  const taken = await before.next()
  expect(taken).toMatchObject({ event: 'delivery' })
  const newest = await read()
  expect(await before.next()).toMatchObject({ event: 'end', data: { why: 'replaced' } })
  const again = await newest.next()
  expect(again?.data).toEqual(taken?.data)
  const outcome = { delivery: again?.data.delivery, status: 200, tookMs: 1 }
  await world.control('POST', `/forwarders/${id}/answers`, outcome)
  expect(await advanced).toMatchObject({ callbacks: { delivered: 1 } })
})

it('gives back what it has not taken, and counts as failed what it took and never answered', async () => {
  const world = await bench.world()
  const join = (lease: string) =>
    world.control('POST', '/forwarders', { name: 'gone', forwardTo: 'http://localhost:3000', lease })
  const { id } = await join('1m')
  await bench.pay(world)
  const advanced = world.advance('5s')
  await expect.poll(async () => (await world.control('GET', '/forwarders')).forwarders).toMatchObject([{ open: 1 }])
  await world.control('DELETE', `/forwarders/${id}`)
  expect(await advanced).toMatchObject({ callbacks: { delivered: 1 } })
  expect((await triesOf(world)).tries).toMatchObject([{ forwarder: null, status: 200 }])

  const next = await join('1ms')
  const connection = new AbortController()
  const stream = await fetch(`${world.baseUrl}/_mfano/forwarders/${next.id}/deliveries`, { signal: connection.signal })
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  await bench.pay(world)
  const again = world.advance('5s')
  let text = ''
  while (!text.includes('event: delivery')) text += (await reader?.read())?.value
  connection.abort()
  expect(await again).toMatchObject({ callbacks: { delivered: 0, failed: 1 } })
  await world.control('POST', '/clock/settle', {})
  const { state, tries } = await triesOf(world)
  expect(state).toBe('delivered')
  expect(tries).toMatchObject([
    { forwarder: 'gone', status: null, diagnosis: { code: 'forwarder-lost' } },
    { forwarder: null, status: 200 },
  ])
})

it('keeps the path and query of a callbackUrl, unless it is told another path', () => {
  const to = (forwardTo: string, url: string) => forwardedTo(new URL(forwardTo), url).href
  expect(to('http://localhost:3000', 'https://shop.example/a/b?c=1')).toBe('http://localhost:3000/a/b?c=1')
  expect(to('http://localhost:3000/hooks', 'https://shop.example/a/b?c=1')).toBe('http://localhost:3000/hooks?c=1')
  expect(to('http://localhost:3000/hooks?d=2', 'https://shop.example/a?c=1')).toBe('http://localhost:3000/hooks?d=2')
})

it('is a command that ends in order on Ctrl-C', async () => {
  const world = await bench.world()
  const { origin } = new URL(world.baseUrl)
  const typed = [
    'listen',
    '--url',
    origin,
    '--world',
    world.id,
    '--forward-to',
    bench.receiver.url('/'),
    '--name',
    'asha',
    '--json',
  ]
  const child: ChildProcess = spawn(process.execPath, [entry, ...typed], { stdio: ['ignore', 'pipe', 'inherit'] })
  closing.push(() => child.kill('SIGKILL'))
  const lines = createInterface(child.stdout as NonNullable<typeof child.stdout>)[Symbol.asyncIterator]()
  const line = async () => JSON.parse((await lines.next()).value as string)
  expect(await line()).toEqual({ type: 'joined', name: 'asha', lease: '1m' })
  await bench.pay(world, { callbackUrl: NOWHERE })
  await world.advance('1m')
  expect(await line()).toMatchObject({ type: 'forwarded', callbackUrl: NOWHERE, status: 200 })
  child.kill('SIGINT')
  expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0)
  expect((await world.control('GET', '/forwarders')).forwarders).toEqual([])
})

it('waits for its listener when mfano is started again, and posts nothing twice', async (context) => {
  needsProcess('worlds', context)
  const directory = dataDirectory()
  const first = await startOn(directory)
  const made = await controlOf(first.baseUrl)('POST', '/worlds', { body: { id: 'shop', clock: { mode: 'frozen' } } })
  const { url, cut, lead } = await cuttable(first.baseUrl)
  const { news } = await listening(`${url}/w/${made.id}`)
  const seen = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<number>()
  bench.receiver.answer = () => {
    seen.resolve()
    return answer.promise
  }
  const world = first.world('shop')
  await bench.pay(world, { callbackUrl: NOWHERE })
  const advanced = world.advance('1m').catch(() => {})
  await seen.promise
  await first.close()
  await advanced

  const second = await startOn(directory)
  lead(second.baseUrl)
  cut()
  answer.resolve(200)
  const { callbacks } = await second.world('shop').advance('1m')
  const { tries } = await triesOf(second.world('shop'))
  expect(tries).toMatchObject([{ forwarder: 'laptop', status: 200 }])
  expect(callbacks.failed).toBe(0)
  expect(bench.receiver.received).toHaveLength(1)
  expect(news.filter(({ type }) => type === 'joined')).toHaveLength(2)
})
