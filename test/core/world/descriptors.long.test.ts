/** A process that may open no more files or connections for a while works on as soon as it may again. */
import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { expect, it, onTestFinished, type TestContext } from 'vitest'
import { needs } from '../../support/needs.ts'
import { mfano } from '../../support/program.ts'
import { dataDirectory } from '../../support/restart.ts'

/** Asks over one connection, which is there before nothing more can be opened. */
function asking(baseUrl: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  return (method: string, path: string, body?: object) =>
    new Promise<{ status: number | undefined; text: string; reused: boolean }>((resolve, reject) => {
      const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
      const asked = request(baseUrl + path, { method, agent, headers }, (response) => {
        let text = ''
        response.on('data', (part) => {
          text += part
        })
        response.on('end', () => resolve({ status: response.statusCode, text, reused: asked.reusedSocket }))
      })
      asked.on('error', reject)
      asked.end(body && JSON.stringify(body))
    })
}

async function started(context: TestContext, directory: string) {
  needs('prlimit', context)
  const program = mfano('--port', '0', '--data', directory)
  const { baseUrl } = await program.ready()
  const { pid } = program.child
  return {
    program,
    ask: asking(baseUrl),
    /** How many files and connections it may have from now on. */
    limit: (most: number) => execFileSync('prlimit', ['--pid', String(pid), `--nofile=${most}:`]),
    /** The first number that a file would get that it opens now. */
    nextDescriptor: () => {
      const open = new Set(readdirSync(`/proc/${pid}/fd`).map(Number))
      let next = 0
      while (open.has(next)) next++
      return next
    },
  }
}

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}

it('has control plane, pages, metrics and agents back when it may open files again, and tells of it meanwhile', async (context) => {
  const { ask, limit } = await started(context, ':memory:')
  const health = async () => {
    const { status, text, reused } = await ask('GET', '/_mfano/health')
    return { status, reused, body: JSON.parse(text) }
  }
  expect(await health()).toMatchObject({ status: 200 })
  const all = [
    ['GET', '/_mfano/payments'],
    ['GET', '/docs'],
    ['GET', '/docs/time'],
    ['GET', '/_mfano/metrics'],
    ['POST', '/_mfano/mcp', INITIALIZE],
    ['GET', '/_mfano/coverage'],
  ] as const
  limit(5)
  for (const [method, path, body] of all) {
    const { status, text } = await ask(method, path, body)
    expect({ path, status, ...JSON.parse(text) }).toEqual({
      path,
      status: 503,
      error: {
        code: 'SERVICE_UNAVAILABLE',
        message: 'Service unavailable',
        details: expect.stringMatching(/files and connections open/),
      },
    })
  }
  expect(await health()).toMatchObject({
    status: 503,
    reused: true,
    body: {
      status: 'degraded',
      failing: [{ part: 'descriptors', why: expect.stringContaining('as many files and connections open') }],
    },
  })
  limit(1024)
  for (const [method, path, body] of all) expect(await ask(method, path, body), path).toMatchObject({ status: 200 })
  expect(await health()).toMatchObject({ status: 200, body: { status: 'ok', failing: [] } })
})

it('closes idle worlds to open others where it may open no more files, and calls none of them broken', async (context) => {
  const directory = dataDirectory()
  const ids = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `world-${n}`)
  const before = await started(context, directory)
  for (const id of ids) expect(await before.ask('POST', '/_mfano/worlds', { id })).toMatchObject({ status: 201 })
  await before.program.kill()

  const { ask, limit, nextDescriptor } = await started(context, directory)
  const open = (id: string) => ask('GET', `/w/${id}/_mfano/health`)
  expect(await ask('GET', '/_mfano/metrics')).toMatchObject({ status: 200 })
  for (const id of ids.slice(0, 6)) expect(await open(id), id).toMatchObject({ status: 200 })
  limit(nextDescriptor())
  for (const id of [...ids.slice(6), ...ids]) expect((await open(id)).text, id).toContain(`"world":"${id}"`)
  expect(await ask('POST', '/_mfano/worlds', { id: 'new' })).toMatchObject({ status: 201 })
  // Not even by closing all.
  limit(5)
  for (const id of ids.slice(0, 3)) {
    const { status, text } = await open(id)
    if (status !== 503) throw new Error(text)
  }
  limit(1024)
  const { text } = await ask('GET', '/_mfano/worlds')
  expect(JSON.parse(text).worlds).toHaveLength(10)
  expect(text).not.toContain('problem')
  for (const id of ids) expect(await open(id), id).toMatchObject({ status: 200 })
})
