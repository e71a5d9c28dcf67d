/** A past that is not made to its end leaves nothing, and what else there is goes on while one is made. */
import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { start } from '../../hosts/crash/started.ts'
import { dataDirectory, startOn } from '../../support/restart.ts'

const LONG = { world: 'long', profile: 'shop', payments: 30_000 }
const SHORT = { ...LONG, payments: 20 }

const asking = (baseUrl: string) => async (method: string, path: string, body?: object, signal?: AbortSignal) => {
  const init = { method, ...(body && { body: JSON.stringify(body) }), ...(signal && { signal }) }
  const answer = await fetch(`${baseUrl}/_mfano${path}`, init)
  return { status: answer.status, body: await answer.json() }
}

/** Asks until payments are made. */
async function begun(ask: ReturnType<typeof asking>) {
  for (;;) {
    const [first] = (await ask('GET', '/populate')).body.underWay
    if (first?.done > 0) return first
  }
}
const idsOf = async (ask: ReturnType<typeof asking>) =>
  (await ask('GET', '/worlds')).body.worlds.map(({ id }: { id: string }) => id)

it.each(['SIGKILL', 'SIGTERM'] as const)(
  'leaves no world where mfano ends by %s before its past is made',
  async (signal) => {
    const directory = dataDirectory()
    const { program, baseUrl } = await start(directory)
    const ask = asking(baseUrl)
    const making = ask('POST', '/populate', LONG).catch(() => 'gone')
    expect(await begun(ask)).toMatchObject({ world: 'long', all: 30_000 })
    expect(await idsOf(ask)).toEqual(['default'])
    program.child.kill(signal)
    await program.ended
    expect(await making).toBe('gone')

    const again = asking((await start(directory)).baseUrl)
    expect(await idsOf(again)).toEqual(['default'])
    expect(readdirSync(directory).filter((name) => /long|[.]new/.test(name))).toEqual([])
    expect(await again('POST', '/populate', SHORT)).toMatchObject({ status: 201, body: { payments: { total: 20 } } })
  },
)

it.each(['files', 'memory'])('ends with whoever asked for it, in %s', async (where) => {
  const directory = where === 'files' ? dataDirectory() : ':memory:'
  const { baseUrl } = await startOn(directory)
  const ask = asking(baseUrl)
  const leaving = new AbortController()
  const making = ask('POST', '/populate', LONG, leaving.signal).catch(({ name }) => name)
  await begun(ask)
  expect(await ask('POST', '/populate', SHORT)).toMatchObject({ status: 409 })
  leaving.abort()
  expect(await making).toBe('AbortError')
  while ((await ask('GET', '/populate')).body.underWay.length > 0);
  expect(await idsOf(ask)).toEqual(['default'])
  if (where === 'files') expect(readdirSync(directory).filter((name) => name.includes('long'))).toEqual([])
  expect(await ask('POST', '/populate', SHORT)).toMatchObject({ status: 201, body: { payments: { total: 20 } } })
  expect((await fetch(`${baseUrl}/w/long/_mfano/payments`)).status).toBe(200)
})

it('lets others have their turn while it makes up what there is to pay', async () => {
  const ask = asking((await startOn(':memory:')).baseUrl)
  const leaving = new AbortController()
  const making = ask('POST', '/populate', LONG, leaving.signal).catch(({ name }) => name)
  let answered = 0
  for (;;) {
    const [first] = (await ask('GET', '/populate')).body.underWay
    if (first?.done > 0) break
    if (first) expect(await ask('GET', '/health')).toMatchObject({ status: 200 })
    if (first) answered++
  }
  // One would be answered if the whole past were made up at once.
  expect(answered).toBeGreaterThan(5)
  leaving.abort()
  await making
})
