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

/** Only a past that is made commits anything here. */
async function committed(baseUrl: string): Promise<number> {
  const text = await (await fetch(`${baseUrl}/_mfano/metrics`)).text()
  return Number(/^mfano_commit_batch_size_sum (\d+)$/m.exec(text)?.[1])
}

/** Asks until payments are made. */
async function begun(baseUrl: string) {
  for (const before = await committed(baseUrl); (await committed(baseUrl)) === before; );
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
    await begun(baseUrl)
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
  await begun(baseUrl)
  expect(await ask('POST', '/populate', SHORT)).toMatchObject({ status: 409 })
  leaving.abort()
  expect(await making).toBe('AbortError')
  let again = await ask('POST', '/populate', SHORT)
  while (again.status === 409) again = await ask('POST', '/populate', SHORT)
  expect(again).toMatchObject({ status: 201, body: { payments: { total: 20 } } })
  expect((await fetch(`${baseUrl}/w/long/_mfano/payments`)).status).toBe(200)
})

it('lets others have their turn while it makes up what there is to pay', async () => {
  const { baseUrl } = await startOn(':memory:')
  const ask = asking(baseUrl)
  const leaving = new AbortController()
  const before = await committed(baseUrl)
  const making = ask('POST', '/populate', LONG, leaving.signal).catch(({ name }) => name)
  let answered = 0
  for (; (await committed(baseUrl)) === before; answered++)
    expect(await ask('GET', '/health')).toMatchObject({ status: 200 })
  // One would be answered if the whole past were made up at once.
  expect(answered).toBeGreaterThan(5)
  leaving.abort()
  await making
})
