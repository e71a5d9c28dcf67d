/** A wary world: what it draws, what it varies, and that a seed repeats all of it. */
import { describe, expect, it } from 'vitest'
import { type Mfano, startMfano, type TestWorld } from '../../src/apps/testing/index.ts'
import { varied } from '../../src/core/model/wary.ts'
import { float } from '../../src/core/model/wire.ts'
import { words } from '../apps/cli/support.ts'
import { mfano } from '../support/program.ts'

const PAYOUT = '/api/sandbox/v1/send-money'

/** Pays, lets it end, and gives the bytes of all answers and of the callback. */
async function bytesOf(world: TestWorld): Promise<string[]> {
  const { apiKey, apiSecret, companyId } = world.credentials
  const send = async (method: string, path: string, token?: string, body?: object) => {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const answer = await fetch(world.baseUrl + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
    return answer.text()
  }
  const login = await send('POST', '/api/v1/get-token', undefined, { apiKey, apiSecret })
  // What an answer holds beside it may be anything here.
  const token = /"access_token":"([^"]+)"/.exec(login)?.[1]
  const callbackUrl = 'https://127.0.0.1:9/'
  const salary = { phoneNumber: '254745362174', amount: 1000, remarks: 'Pay', occasion: 'Pay', callbackUrl }
  const paid = await send('POST', PAYOUT, token, salary)
  const refused = await send('POST', PAYOUT, token, { ...salary, amount: -1 })
  await world.clock.advance('5s')
  const list = await send('GET', `${PAYOUT}/all?companyId=${companyId}`, token)
  const told = (await world.callbacks.list()).map(({ body }) => JSON.stringify(body))
  return [paid, refused, list, ...told]
}

async function fidelity(world: TestWorld) {
  const answer = await fetch(`${world.baseUrl}/_mfano/fidelity`)
  return (await answer.json()) as {
    wary: { seed: number; drawn: { id: string; value: string }[] } | null
    assumptions: { id: string; inForce: string; default: string; chosenBy: string }[]
  }
}

describe('a world that is wary', () => {
  it('repeats every choice and every byte of its seed, and differs under another', async () => {
    const runs: string[][] = []
    for (const wary of [7, 7, 8]) {
      await using server = await startMfano({ wary })
      runs.push(await bytesOf(await server.world({ id: 'same' })))
    }
    expect(runs[1]).toEqual(runs[0])
    expect(runs[2]).not.toEqual(runs[0])
  })

  it('adds fields, and keeps those that are known', async () => {
    await using server: Mfano = await startMfano()
    const known = (await fidelity(await server.world())).assumptions
    const assumptions = Object.fromEntries(known.map((one) => [one.id, one.default]))
    const scenario = { name: 'explicit', description: 'Chosen.', assumptions }
    const [usual, wary] = [await server.world({ scenario }), await server.world({ scenario, wary: 7 })]
    const [plain, other] = [await bytesOf(usual), await bytesOf(wary)]
    const [paid, paidWarily] = [plain[0], other[0]].map((text) => JSON.parse(text as string))
    expect(Object.keys(paidWarily).length).toBeGreaterThan(Object.keys(paid).length)
    expect(Object.keys(paidWarily.data)).toEqual(expect.arrayContaining(Object.keys(paid.data)))
    expect(JSON.parse(other[1] as string).error.code).toBe(JSON.parse(plain[1] as string).error.code)
  })

  it('draws what no scenario chooses, and says so', async () => {
    await using server = await startMfano()
    const explicit = { name: 'explicit', description: 'Chosen.', assumptions: { 'error-body': 'flat' }, wary: 3 }
    const shown = await fidelity(await server.world({ scenario: explicit }))
    expect(shown.wary?.seed).toBe(3)
    const chosenBy = Object.fromEntries(shown.assumptions.map((one) => [one.id, one.chosenBy]))
    expect(chosenBy['error-body']).toBe('scenario')
    expect(shown.assumptions.find(({ id }) => id === 'error-body')?.inForce).toBe('flat')
    const drawn = shown.assumptions.filter((one) => one.chosenBy === 'wary')
    expect(drawn).toHaveLength(shown.assumptions.length - 1)
    expect(drawn.some((one) => one.inForce !== one.default)).toBe(true)
    expect(shown.wary?.drawn.map(({ id, value }) => [id, value])).toEqual(drawn.map(({ id, inForce }) => [id, inForce]))
    expect((await fidelity(await server.world())).wary).toBeNull()
  })

  it('keeps its seed when one assumption is switched', async () => {
    await using server = await startMfano()
    const world = await server.world({ wary: 3 })
    const before = await fidelity(world)
    const headers = { 'content-type': 'application/json' }
    await fetch(`${world.baseUrl}/_mfano/assumptions/error-body`, {
      method: 'PUT',
      headers,
      body: '{"value":"flat"}',
    })
    const after = await fidelity(world)
    expect(after.wary?.seed).toBe(3)
    expect(after.assumptions.find(({ id }) => id === 'error-body')).toMatchObject({
      inForce: 'flat',
      chosenBy: 'scenario',
    })
    const others = (shown: typeof before) => shown.assumptions.filter(({ id }) => id !== 'error-body')
    expect(others(after)).toEqual(others(before))
  })
})

it('says at the start what it drew', async () => {
  const ready = await mfano(...words('--port 0 --data :memory: --wary 7')).ready()
  const { assumptions } = (await (await fetch(`${ready.baseUrl}/_mfano/fidelity`)).json()) as Awaited<
    ReturnType<typeof fidelity>
  >
  const { wary } = ready as unknown as { wary: { seed: number; drawn: { id: string; value: string }[] } }
  expect(wary.seed).toBe(7)
  expect(Object.fromEntries(wary.drawn.map(({ id, value }) => [id, value]))).toEqual(
    Object.fromEntries(assumptions.map(({ id, inForce }) => [id, inForce])),
  )
})

it('changes no value of a body, and prints numbers as they were', () => {
  const body = { status: 201, data: { amount: float(100_000), items: [{ id: 1 }, { id: 2 }] } }
  const changed = varied(body, 5, 'createSendMoney 201') as typeof body
  expect(changed).toMatchObject({ status: 201, data: {} })
  expect(changed.data.items.map(({ id }) => id).sort()).toEqual([1, 2])
  expect(JSON.stringify(changed)).toContain('"amount":1000.0')
})

it('shuffles lists inside records, and leaves a list that is the answer as its assumption has it', () => {
  const record = (id: number) => ({ id, methods: ['CARD', 'MPESA_STK', 'BANK'] })
  const body = { data: [record(1), record(2), record(3)] }
  const seeds = Array.from({ length: 20 }, (_, seed) => seed)
  const all = seeds.map((seed) => varied(body, seed, 'list 200') as typeof body)
  for (const [seed, { data }] of all.entries()) {
    expect(data.map(({ id }) => id)).toEqual([1, 2, 3])
    for (const { methods } of data) expect(methods.toSorted()).toEqual(['BANK', 'CARD', 'MPESA_STK'])
    expect(varied(body, seed, 'list 200')).toEqual(all[seed])
  }
  expect(new Set(all.map(({ data }) => String(data[0]?.methods))).size).toBeGreaterThan(2)
  const bare = varied([1, 2, 3], 4, 'getWalletBreakdown 200')
  expect(bare).toEqual([1, 2, 3])
})
