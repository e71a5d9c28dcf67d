/** HAR files as browsers, sanitizers and proxies write them, compared with mfano. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startMfano } from '../../../src/apps/testing/index.ts'
import { answer, folder } from '../../apps/cli/support.ts'
import { compared, namesOf } from './support.ts'

const LISTS = ['/api/sandbox/v1/send-money/all', '/api/sandbox/v1/till/all', '/api/sandbox/v1/paybill/all']

interface Entry {
  startedDateTime: string
  request: Record<string, unknown>
  response: Record<string, unknown>
}

/** What the service answers to lists and a wrong payment, as Chrome writes it: without `Authorization`. */
async function entries(): Promise<{ url: string; all: Entry[] }> {
  await using server = await startMfano()
  const world = await server.world()
  const url = world.baseUrl
  const service = await world.client()
  const sent = [
    ...LISTS.map((path) => ({ path, body: undefined })),
    { path: '/api/sandbox/v1/till', body: '{"amount":-1}' },
  ]
  const all: Entry[] = []
  for (const { path, body } of sent) {
    const method = body ? 'POST' : 'GET'
    const answered = await service.request(method, path, { body })
    const { text } = answered
    const headers = [...answered.headers].map(([name, value]) => ({ name, value }))
    all.push({
      startedDateTime: new Date(Date.UTC(2025, 0, 24, 16, 28, all.length)).toISOString(),
      request: {
        method,
        url: url + path,
        headers: [{ name: 'Accept', value: '*/*' }],
        ...(body && { postData: { mimeType: 'application/json', text: body } }),
      },
      response: {
        status: answered.status,
        headers,
        content: { size: text.length, mimeType: answered.headers.get('content-type'), text },
      },
    })
  }
  return { url, all }
}

async function comparedEntries(all: readonly object[], before = '') {
  const file = join(folder(), 'traffic.har')
  writeFileSync(file, before + JSON.stringify({ log: { entries: all } }))
  const report = await compared(file)
  return { ...report, found: namesOf(report), lead: (await answer(['compare', file])).out }
}

it('asks with a token of its own where the file holds none, and says so', async () => {
  const { all } = await entries()
  const { code, found, notCompared, compared: times, lead } = await comparedEntries(all, '\uFEFF')
  expect({ code, found, notCompared, times }).toEqual({ code: 0, found: [], notCompared: [], times: all.length })
  expect(lead).toContain('4 requests without Authorization: mfano added a token of its own.')
})

it('sends, encodes or leaves out every header that a file can hold', async () => {
  const { all } = await entries()
  const headers = [
    ['Expect', '100-continue'],
    ['Keep-Alive', 'timeout=5'],
    ['Transfer-Encoding', 'chunked'],
    ['Upgrade', 'h2c'],
    ['Content-Encoding', 'gzip'],
    ['Trailer', 'Digest'],
    [':authority', 'service.example'],
    ['X-Shop', 'Duka – Żółw 🐢'],
    ['X-Broken', 'one\r\ntwo'],
    ['no name', 'at all'],
  ].map(([name, value]) => ({ name, value }))
  const changed = all.map((one) => ({ ...one, request: { ...one.request, headers } }))
  const { found, notCompared } = await comparedEntries(changed)
  expect({ found, notCompared }).toEqual({ found: [], notCompared: [] })
})

it('counts and leaves out aborted entries, preflights and other hosts', async () => {
  const { url, all } = await entries()
  const [first] = all
  if (!first) throw new Error('No entry was recorded.')
  const aborted = { ...first, response: { status: 0, headers: [], content: { size: 0, mimeType: 'x-unknown' } } }
  const elsewhere = { ...first, request: { ...first.request, url: 'https://shop.example/app.js' } }
  const asked = [{ name: 'Access-Control-Request-Method', value: 'GET' }]
  const preflight = { ...first, request: { method: 'OPTIONS', url: `${url}${LISTS[0]}`, headers: asked } }
  const report = await comparedEntries([...all, aborted, elsewhere, elsewhere, preflight])
  expect(report.found).toEqual([])
  expect(report).toMatchObject({ code: 0, exchanges: all.length + 4, compared: all.length })
  expect(report.notCompared.map(({ times }) => times).toSorted()).toEqual([1, 1, 2])
})

it('takes nothing for a difference that the file does not hold', async () => {
  const { all } = await entries()
  const bare = all.map(({ response, ...one }) => ({ ...one, response: { status: response['status'], headers: [] } }))
  expect(await comparedEntries(bare)).toMatchObject({ code: 0, found: [], compared: all.length })
  const noBodies = all.map(({ request: { postData, ...request }, ...one }) => ({
    ...one,
    request: { ...request, ...(postData !== undefined && { bodySize: 13 }) },
  }))
  const report = await comparedEntries(noBodies)
  expect(report.found).toEqual([])
  expect(report.notCompared).toEqual([{ why: 'the body of its request was not recorded', times: 1 }])
})
