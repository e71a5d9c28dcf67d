/** What a suite exercised, and what not: of one world, and of many together. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { connectMfano } from '../../../src/apps/testing/index.ts'
import type { Coverage } from '../../../src/inspect/coverage.ts'
import { answer, folder } from '../../apps/cli/support.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'

const bench = useBench()
const coverageOf = (world: TestWorld): Promise<Coverage> => world.control('GET', '/coverage')

it('of an untouched world is nothing, and every gap has its name', async () => {
  const coverage = await coverageOf(await bench.world())
  for (const { hit, percent } of Object.values(coverage)) expect({ hit, percent }).toEqual({ hit: [], percent: 0 })
  expect(coverage.operations.gaps).toContain('createSendMoney')
  expect(coverage.edges.gaps).toEqual(
    expect.arrayContaining([
      'send-money PENDING settle SUCCESS',
      'till SUCCESS revise FAILED',
      'stk PENDING unanswered FAILED',
    ]),
  )
})

it('counts what was asked, with which fields, and what became of it', async () => {
  const world = await bench.world()
  await bench.pay(world, { referenceId: 'salary-1' })
  await world.advance('1m')
  expect((await world.post('/api/sandbox/v1/till', {})).status).toBe(400)
  const { operations, fields, refusals, ends, edges, callbacks, tokens, assumptions } = await coverageOf(world)
  expect(operations.hit).toEqual(['getToken', 'createSendMoney', 'createTillPayment'])
  expect(fields.hit).toContain('createSendMoney.referenceId')
  expect(fields.gaps).toContain('createSendMoney.narration')
  expect(refusals.hit).toEqual(['REQ_MISSING_FIELD'])
  expect(ends.hit).toEqual(['send-money SUCCESS'])
  expect(edges.hit).toEqual(['send-money PENDING settle SUCCESS'])
  expect(callbacks.hit).toEqual(['delivered'])
  expect(tokens.hit).toEqual(['issued'])
  expect(assumptions.hit).toContain('duplicate-reference=second-payment')
})

it('tells of callbacks that the app refused, and of tokens that were not good any more', async () => {
  const world = await bench.world()
  bench.receiver.answer = 500
  await bench.pay(world)
  await world.advance('10m')
  expect((await world.get('/api/sandbox/v1/till/all')).status).toBe(401)
  world.logout()
  await world.get('/api/sandbox/v1/till/all')
  const { callbacks, tokens } = await coverageOf(world)
  expect(callbacks.hit).toEqual(['refused'])
  expect(tokens.hit).toEqual(['issued', 'renewed', 'refused'])
})

it('is kept by the kit as worlds are closed, merged on the command line, and held to a least', async () => {
  const kept = folder()
  process.env['MFANO_COVERAGE'] = kept
  onTestFinished(() => void delete process.env['MFANO_COVERAGE'])
  const mfano = await connectMfano({ url: bench.simulator.baseUrl })
  {
    await using tills = await mfano.world()
    await (await tills.client()).listTillPayments({})
    await using paybills = await mfano.world()
    await (await paybills.client()).listPaybillPayments()
  }
  expect(readdirSync(kept)).toHaveLength(2)
  const merged = await answer(['coverage', kept, '--json', '--min', 'operations=1'])
  expect(merged.code, merged.errors).toBe(0)
  expect(JSON.parse(merged.out).coverage.operations.hit.sort()).toEqual([
    'getToken',
    'listPaybillPayments',
    'listTillPayments',
  ])
  const little = await answer(['coverage', kept, '--min', 'edges=80'])
  expect(little).toMatchObject({ code: 1, out: expect.stringContaining('edges: 0%, wanted at least 80%') })
  expect(little.out).toMatch(/\n\d+ gaps, each by its name: mfano coverage --all\n/)
  expect(little.out).not.toContain('createSendMoney')
  expect((await answer(['coverage', kept, '--all'])).out).toContain('\ncreateSendMoney')
})

it('refuses what it cannot read, and says what it wants', async () => {
  const files = folder({ 'other.json': '{}' })
  expect(await answer(['coverage', '--min', 'edgse=80'])).toMatchObject({
    code: 2,
    errors: expect.stringContaining('--min: expected one of operations, fields'),
  })
  expect(await answer(['coverage', join(files, 'other.json')])).toMatchObject({
    code: 2,
    errors: expect.stringContaining('is no report of mfano coverage'),
  })
})

it.each([
  ['html', 'text/html', '<h2>Scorecard'],
  ['markdown', 'text/markdown', '### Scorecard'],
  ['junit', 'application/xml', 'name="operations"'],
])('is printed as %s, with a case for each dimension and none of them a run', async (format, type, has) => {
  const world = await bench.world()
  const { text, headers } = await world.raw('GET', `/_mfano/coverage?format=${format}`)
  expect(headers.get('content-type')).toContain(type)
  expect(text.includes(has) && !text.includes('Runs')).toBe(true)
  if (format === 'junit') expect(text.match(/<testcase /g)).toHaveLength(Object.keys(await coverageOf(world)).length)
})
