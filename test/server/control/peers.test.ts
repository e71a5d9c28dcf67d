/** Processes behind one address: each lists the worlds of all, and says whose are missing. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { expect, it, onTestFinished, vi } from 'vitest'
import { connectMfano } from '../../../src/apps/testing/index.ts'
import { silentLog } from '../../../src/hosts/node/log.ts'
import { settingsOf } from '../../../src/hosts/node/settings.ts'
import { startSimulator } from '../../../src/hosts/node/simulator.ts'
import { answer } from '../../apps/cli/support.ts'
import { type Alarms, alarms } from '../../support/alarms.ts'

/** Starts a process of that name, with such a world; gives its address. */
async function start(
  processName: string | undefined,
  world: string,
  peers: string[] = [],
  time?: Alarms,
): Promise<string> {
  const texts = { port: '0', data: ':memory:', adminToken: 's3cret', log: 'off', ...(processName && { processName }) }
  const simulator = await startSimulator(
    settingsOf({ ...texts, ...(peers.length > 0 && { peers: peers.join(', ') }) }),
    silentLog,
    time ? { realTime: time.host } : {},
  )
  onTestFinished(() => simulator.close())
  simulator.worlds.create({ id: world, clock: { mode: 'frozen' } })
  return `http://127.0.0.1:${simulator.port}`
}

/** A server that is no mfano; gives its address. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function listed(address: string, query = '') {
  const headers = { 'mfano-admin-token': 's3cret' }
  const answer = await fetch(`${address}/_mfano/worlds${query}`, { headers })
  expect(answer.status).toBe(200)
  const { worlds, unanswered } = await answer.json()
  const named = worlds.map(({ id, process }: { id: string; process: string }) => `${process}: ${id}`)
  return { worlds, named, unanswered }
}

it('lists the worlds of all processes once, each at the address that they share', async () => {
  const left = await start('left', 'team-2')
  const middle = await start('middle', 'team-1')
  // Those that are told the same addresses are told their own, too.
  let own = ''
  const myself = await serve(async (request, response) => {
    const { 'mfano-admin-token': token = '' } = request.headers
    const answer = await fetch(own + request.url, { headers: { 'mfano-admin-token': String(token) } })
    response.end(await answer.text())
  })
  own = await start('right', 'team-3', [left, middle, myself])
  const { worlds, named, unanswered } = await listed(own)
  expect(named).toEqual(['right: default', 'middle: team-1', 'left: team-2', 'right: team-3'])
  expect(worlds.map(({ baseUrl }: { baseUrl: string }) => baseUrl)).toEqual([
    own,
    ...[1, 2, 3].map((n) => `${own}/w/team-${n}`),
  ])
  expect(worlds[1]).toMatchObject({ scenario: 'default', clock: { mode: 'frozen' } })
  expect(unanswered).toEqual([])
  expect((await listed(own, '?of=process')).named).toEqual(['right: default', 'right: team-3'])
  expect((await listed(left)).named).toEqual(['left: default', 'left: team-2'])
})

it('is reached by kits and commands where each world is, whatever its name leads to', async () => {
  const right = await start('right', 'even-1')
  const left = await start('left', 'odd-1', [right])
  // As a proxy does it: by the path alone.
  const proxy = await serve(async (request, response) => {
    const { method = 'GET', url = '' } = request
    const headers = new Headers(request.headers as Record<string, string>)
    for (const own of ['host', 'connection', 'transfer-encoding', 'content-length']) headers.delete(own)
    const body = new Uint8Array(await new Response(Readable.toWeb(request) as never).arrayBuffer())
    const to = url.startsWith('/w/even') ? right : left
    const answered = await fetch(to + url, { method, headers, ...(body.length > 0 && { body }) })
    response.writeHead(answered.status, { 'content-type': 'application/json' }).end(await answered.text())
  })
  const mfano = await connectMfano({ url: proxy, adminToken: 's3cret' })
  const world = await mfano.world({ id: 'even-2' })
  expect(await world.wallets.available('KES')).toBeGreaterThan(0)
  vi.stubEnv('MFANO_ADMIN_TOKEN', 's3cret')
  onTestFinished(() => void vi.unstubAllEnvs())
  const run = (...typed: string[]) => answer(['world', ...typed, '--url', proxy])
  expect(await run('create', 'even-3')).toMatchObject({ code: 0 })
  expect((await listed(right)).named).toEqual(['right: default', 'right: even-1', 'right: even-2', 'right: even-3'])
  expect((await run('list')).out).toMatch(/^even-3 .* right$/m)
  expect(await run('delete', 'even-3')).toMatchObject({ code: 0, out: 'World even-3 is deleted.\n' })
  await world.close()
  expect((await listed(proxy)).named).toEqual(['left: default', 'right: even-1', 'left: odd-1'])
})

it.each(['named', 'unnamed'])('makes no world of a name that another process has, and lists both: %s', async (as) => {
  const [a, b] = as === 'named' ? ['a', 'b'] : [undefined, undefined]
  const other = await start(b, 'payroll')
  const here = await start(a, 'shop', [other])
  const headers = { 'mfano-admin-token': 's3cret' }
  const ask = async (method: string, url: string, body?: BodyInit) => {
    const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) })
    return { status: answer.status, bytes: await answer.bytes() }
  }
  const { bytes: file } = await ask('GET', `${other}/w/payroll/_mfano/worlds/payroll/file`)
  const refused = [
    await ask('POST', `${here}/_mfano/worlds`, '{"id":"payroll"}'),
    await ask('POST', `${here}/_mfano/worlds`, '{"id":"payroll","from":"shop"}'),
    await ask('POST', `${here}/_mfano/populate`, '{"payments":1}'),
    await ask('PUT', `${here}/_mfano/worlds/payroll/file`, file),
  ]
  for (const { status, bytes } of refused) {
    expect(status).toBe(409)
    const { error } = JSON.parse(new TextDecoder().decode(bytes))
    expect(error.code).toBe('WORLD_EXISTS')
    expect(error.details).toBe(
      `The process ${b ? '"b"' : `at ${other}`} has a world "payroll" already, and ${here}/w/payroll leads there. ` +
        `Choose another id, or make it there: DELETE ${here}/w/payroll/_mfano/worlds/payroll first, then POST ${here}/w/payroll/_mfano/worlds {"id":"payroll"}.`,
    )
  }
  // At its own address it is made wherever that leads.
  expect(await ask('POST', `${here}/w/payroll/_mfano/worlds`)).toMatchObject({ status: 201 })
  expect((await listed(here)).worlds.map(({ id, process }: Record<string, unknown>) => [id, process])).toEqual([
    ['default', a ?? null],
    ['payroll', a ?? null],
    ['payroll', b ?? null],
    ['shop', a ?? null],
  ])
})

it('says which processes did not answer, and why', async () => {
  const nowhere = 'http://127.0.0.1:2'
  const stranger = await serve((_, response) => response.end('<h1>Hello</h1>'))
  const closed = await serve((_, response) => response.writeHead(403).end())
  const { named, unanswered } = await listed(await start('left', 'team-1', [nowhere, stranger, closed]))
  expect(named).toEqual(['left: default', 'left: team-1'])
  expect(unanswered).toEqual([
    { address: nowhere, problem: 'ECONNREFUSED' },
    { address: stranger, problem: 'it answered something else than a list of worlds' },
    { address: closed, problem: 'it answered 403' },
  ])
})

it('waits five seconds for a process that hangs, and no longer', async () => {
  const time = alarms()
  const hanging = await serve(() => {})
  const address = await start('left', 'team-1', [hanging], time)
  const asked = time.set(5_000)
  const answering = listed(address)
  await asked
  time.pass(5_000)
  expect((await answering).unanswered).toEqual([{ address: hanging, problem: 'no answer within 5 s' }])
})

it('takes addresses with commas in between, and nothing else', () => {
  const told = (peers: string) => settingsOf({ peers }).peers
  expect(told('http://one:8080/, https://two.example/mfano')).toEqual(['http://one:8080', 'https://two.example/mfano'])
  for (const wrong of ['one', 'http://one,', 'http://one http://two', 'http://one?x=1', ''])
    expect(() => told(wrong), wrong).toThrow('peers: expected http or https URLs')
})
