/** A suite of tests with a world for each, in parallel, against the same tests on one shared world, one after the other. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pass } from 'node:timers/promises'
import { connectMfano, type Mfano, type TestWorld } from '../../src/apps/testing/index.ts'
import { type Benchmark, interleave, median, type Row, ratioOf, startMfano } from './kit.ts'

/** As many as test runners run at once. */
const AT_ONCE = 8
/** What an app with a database takes to note a callback, in milliseconds. */
const APP_MS = 25

export const suite: Benchmark = async (plan) => {
  const tests = plan.quick ? 60 : 150
  const rounds = 3
  const service = await startMfano(':memory:')
  const mfano = await connectMfano({ url: service.url() })
  const app = createServer(async (request, response) => {
    request.resume()
    await pass(APP_MS)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(app, 'listening')
  const appUrl = `http://127.0.0.1:${(app.address() as AddressInfo).port}/callback`
  const rows: Row[] = []
  for (const [what, budget, callbackUrl] of [
    [`whose app takes ${APP_MS} ms for a callback`, 0.5, () => appUrl],
    ['whose callbacks go to an inbox', undefined, (world: TestWorld) => world.inbox('payroll').url],
  ] as const) {
    const test = (world: TestWorld) => oneTest(world, callbackUrl(world))
    await inParallel(mfano, AT_ONCE, test)
    const results = await interleave(
      rounds,
      () => inParallel(mfano, tests, test),
      () => inTurn(mfano, tests, test),
    )
    const ratio = ratioOf(results.ours, results.baseline)
    rows.push({
      what: `${tests} tests in parallel, a world each, against one shared world in turn; ${what}`,
      ours: `${median(results.ours).toFixed(0)} ms`,
      baseline: `${median(results.baseline).toFixed(0)} ms`,
      ratio: ratio.toFixed(2),
      budget: budget === undefined ? 'for comparison' : `under ${budget}`,
      met: budget === undefined || ratio < budget,
      how: `mfano/testing against a server in another process: a new world or a reset, a login, a payout, time moved by ten seconds, its callback waited for and the wallet read; ${AT_ONCE} tests at once, ${rounds} interleaved rounds. The server does the same for both sides, so what is won is the time that tests wait for their app.`,
    })
  }
  app.close()
  await service.stop()
  return rows
}

type Test = (world: TestWorld) => Promise<void>

/** Milliseconds for so many tests, each in a world of its own. */
async function inParallel(mfano: Mfano, tests: number, test: Test): Promise<number> {
  const startedMs = performance.now()
  let left = tests
  const worker = async () => {
    while (left-- > 0) {
      await using world = await mfano.world()
      await test(world)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return performance.now() - startedMs
}

/** A suite in one world, which goes back to its beginning between tests: nobody else can use its clock meanwhile. */
async function inTurn(mfano: Mfano, tests: number, test: Test): Promise<number> {
  const startedMs = performance.now()
  await using world = await mfano.world()
  for (let done = 0; done < tests; done++) {
    await test(world)
    await world.reset()
  }
  return performance.now() - startedMs
}

async function oneTest(world: TestWorld, callbackUrl: string): Promise<void> {
  const client = await world.client()
  const salary = { phoneNumber: '254712345678', amount: 1000, remarks: 'Salary', occasion: 'January' }
  const { data } = await client.createSendMoney({ ...salary, callbackUrl })
  await world.clock.advance('10s')
  await world.callbacks.waitFor({ payment: data.requestId, state: 'delivered', body: { status: 'SUCCESS' } })
  const available = await world.wallets.available()
  if (available !== 999_000) throw new Error(`the wallet holds ${available}`)
}
