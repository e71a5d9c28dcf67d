import { expect, it } from 'vitest'
import { useBench } from '../../support/harness.ts'
import { needsProcess } from '../../support/needs.ts'

const named = useBench({ settings: ['--process-name', 'left'] })
const guarded = useBench({ settings: ['--admin-token', 's3cret'] })

/** Asks below the address of a world that need not be there. */
async function ask(baseUrl: string, method: string, path: string, body?: object, headers = {}) {
  const answer = await fetch(`${baseUrl}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return { status: answer.status, body: await answer.json() }
}

it('makes and removes a world at its own address, and says which process has it', async (context) => {
  needsProcess('name', context)
  const { baseUrl } = named.simulator
  const made = await ask(baseUrl, 'POST', '/w/mine/_mfano/worlds', { clock: { mode: 'frozen' } })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({ id: 'mine', baseUrl: `${baseUrl}/w/mine`, process: 'left' })
  expect((await ask(baseUrl, 'GET', '/w/mine/_mfano/health')).body.process).toBe('left')
  const { worlds } = (await ask(baseUrl, 'GET', '/_mfano/worlds')).body
  expect(worlds.map(({ id, process }: { id: string; process: string }) => [id, process])).toEqual([
    ['default', 'left'],
    ['mine', 'left'],
  ])
  const again = await ask(baseUrl, 'POST', '/w/mine/_mfano/worlds')
  expect([again.status, again.body.error.code]).toEqual([409, 'WORLD_EXISTS'])
  expect((await ask(baseUrl, 'DELETE', '/w/mine/_mfano/worlds/mine')).body).toEqual({ removed: 'mine' })
})

it('carries a world as a file to the address of another', async () => {
  const { baseUrl } = named.simulator
  await ask(baseUrl, 'POST', '/w/from-here/_mfano/worlds')
  const file = await (await fetch(`${baseUrl}/w/from-here/_mfano/worlds/from-here/file`)).arrayBuffer()
  const put = await fetch(`${baseUrl}/w/to-there/_mfano/worlds/to-there/file`, { method: 'PUT', body: file })
  expect([put.status, (await put.json()).id]).toEqual([201, 'to-there'])
})

it('touches no other world from there, and makes none of another name', async () => {
  const { baseUrl } = named.simulator
  const other = await ask(baseUrl, 'POST', '/w/mine/_mfano/worlds', { id: 'yours' })
  expect([other.status, other.body.error.code, other.body.error.details]).toEqual([
    400,
    'INVALID_FIELD',
    'id: must be left out or "mine" below /w/mine, got "yours"',
  ])
  await ask(baseUrl, 'POST', '/w/mine/_mfano/worlds')
  await ask(baseUrl, 'POST', '/w/yours/_mfano/worlds')
  const removed = await ask(baseUrl, 'DELETE', '/w/mine/_mfano/worlds/yours')
  expect([removed.status, removed.body.error.code]).toEqual([404, 'SERVER_LEVEL'])
  expect((await ask(baseUrl, 'GET', '/w/mine/_mfano/worlds')).body.error.code).toBe('SERVER_LEVEL')
  const bad = await ask(baseUrl, 'POST', '/w/NO_NAME/_mfano/worlds')
  expect([bad.status, bad.body.error.code]).toEqual([400, 'INVALID_FIELD'])
})

it('makes none for somebody without the admin token', async () => {
  const { baseUrl } = guarded.simulator
  expect((await ask(baseUrl, 'POST', '/w/mine/_mfano/worlds')).status).toBe(401)
  const headers = { authorization: 'Bearer s3cret' }
  expect((await ask(baseUrl, 'POST', '/w/mine/_mfano/worlds', undefined, headers)).status).toBe(201)
})
