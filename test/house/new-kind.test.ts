/** A kind of payment is one folder and one line of a list: everything else follows, and nothing in src/ knows of it. */
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { serviceClientText } from '../../install/generate/client.ts'
import { serviceFiles } from '../../install/generate/pages/pages.ts'
import { serviceContract } from '../../install/generate/pages/service-pages.ts'
import { paymentsService } from '../../src/service/service.ts'
import { answer, folder, words } from '../apps/cli/support.ts'
import { type TestWorld, useBench } from '../support/harness.ts'

// The service of every module under test has airtime.
vi.mock(import('../../src/service/service.ts'), async (load) => {
  const [{ kinds, serviceOf, ...others }, { airtime }] = await Promise.all([load(), import('./airtime.ts')])
  const paymentsService = serviceOf({ kinds: [...kinds, airtime], contract: others.contract })
  return { ...others, kinds, serviceOf, paymentsService }
})

const bench = useBench()

const PATH = '/api/sandbox/v1/airtime'
const noCredit = { name: 'no credit', on: 'airtime', when: 'request.network == "TELKOM"' }
const rules = [
  { ...noCredit, then: { after: '3s', end: 'FAILED', with: { voucher: '' } } },
  { name: 'any other airtime', on: 'airtime', then: { after: '2s', end: 'SUCCESS' } },
]

function scenarioOf(extra: object = {}) {
  return { name: 'kiosk', description: 'Sells airtime.', rules, ...extra }
}

async function buy(world: TestWorld, changes: object = {}): Promise<string> {
  const order = { phoneNumber: '254712345678', amount: 50, network: 'AIRTEL', callbackUrl: bench.receiver.url() }
  const { status, text, body } = await world.post(PATH, { ...order, ...changes })
  expect(status, text).toBe(201)
  return body.data.requestId
}

/** Runs a command in this process. */
async function run(typed: string, world?: TestWorld) {
  const at = world ? ['--url', bench.simulator.baseUrl, '--world', world.id] : []
  return answer([...words(typed), ...at])
}

it('moves money, ends by a rule, tells its merchant and is read again', async () => {
  const world = await bench.world({ scenario: scenarioOf() })
  const before = await world.available()
  const uuid = await buy(world, { referenceId: 'kiosk-1' })
  expect(await world.available()).toBe(before - 50)
  await world.advance('5s')
  const { body } = await world.get(`${PATH}/single?requestId=kiosk-1`)
  expect(body.data).toMatchObject({ requestId: uuid, amount: 50, status: 'SUCCESS' })
  expect(body.data.voucher).toMatch(/^\d{12}$/)
  expect(bench.receiver.received.map((one) => one.body)).toEqual([body.data])
  expect((await world.raw('POST', PATH, { body: {} })).status).toBe(401)
})

it('is in the contract with its callback, and in the documents', async () => {
  const world = await bench.world()
  const { body } = await world.raw('GET', '/openapi.json')
  expect(body.paths[PATH].post).toMatchObject({
    operationId: 'createAirtime',
    'x-basis': 'assumed',
    callbacks: { outcome: { '{$request.body#/callbackUrl}': { post: { 'x-basis': 'assumed' } } } },
  })
  expect(body.components.schemas.AirtimeRequest.required).toContain('network')
  const pages = await serviceFiles(serviceContract(await paymentsService.examples(world.baseUrl)))
  expect(pages['service.html']).toContain('Buy airtime for a phone')
})

it('has its words in scenarios: fields, ends, values and faults', async () => {
  const world = await bench.world()
  const lint = (content: object) => world.control('POST', '/scenario/lint', content)
  expect(await lint(scenarioOf({ callbacks: { faults: [{ on: 'airtime', then: { drop: true } }] } }))).toMatchObject({
    valid: true,
    problems: [],
  })
  const wrong = [
    { ...noCredit, when: 'request.netwrok == "TELKOM"', then: { after: '3s', end: 'FAILED' } },
    { name: 'no such word', on: 'airtime', when: 'request.network == "TELKON"', then: { after: '3s', end: 'FAILED' } },
    { name: 'no such end', on: 'airtime', then: { after: '3s', end: 'DONE' } },
    { name: 'no such field', on: 'airtime', then: { after: '3s', end: 'FAILED', with: { vouchr: '1' } } },
  ]
  const { problems } = await lint(scenarioOf({ rules: wrong }))
  expect(problems.map(({ message }: { message: string }) => message)).toEqual([
    expect.stringMatching(/The request of an airtime purchase has no field "netwrok".* Did you mean "network"\?/),
    expect.stringContaining('"TELKON"'),
    expect.stringContaining('"DONE" is not a state that an airtime purchase can end in. Possible: SUCCESS, FAILED.'),
    expect.stringContaining('Did you mean "voucher"?'),
  ])
  const schema = await world.control('GET', '/scenario.schema.json')
  expect(JSON.stringify(schema.properties.rules)).toContain('"airtime"')
})

it('is listed, shown, resolved and explained in the control plane', async () => {
  const world = await bench.world({ scenario: scenarioOf() })
  await bench.pay(world)
  const uuid = await buy(world)
  const { payments } = await world.control('GET', '/payments?kind=airtime')
  expect(payments.map((one: { uuid: string }) => one.uuid)).toEqual([uuid])
  const shown = await world.control('GET', `/payments/${uuid}`)
  expect(shown).toMatchObject({ kind: 'airtime', status: 'PENDING', record: { requestId: uuid, voucher: null } })
  expect(shown.possible.map(({ leadsTo }: { leadsTo: string }) => leadsTo)).toContain('FAILED')
  await world.control('POST', `/payments/${uuid}/resolve`, { status: 'FAILED' })
  const { body } = await world.raw('GET', `/_mfano/payments/${uuid}/explain`)
  expect(JSON.stringify(body)).toContain('any other airtime')
  expect((await world.control('GET', '/kinds')).kinds).toContainEqual(
    expect.objectContaining({ kind: 'airtime', phrase: 'an airtime purchase', operation: `POST ${PATH}` }),
  )
  const books = [{ requestId: uuid, kind: 'airtime', amount: 50, status: 'FAILED' }]
  const { findings } = await world.control('POST', '/reconcile', books)
  expect(findings.map(({ kind }: { kind: string }) => kind)).toEqual(['send-money'])
})

it('is known to the commands', async () => {
  const world = await bench.world({ scenario: scenarioOf() })
  const uuid = await buy(world)
  expect((await run('payment list --kind airtime', world)).out).toContain(uuid)
  expect((await run('payment list --kind airtiem', world)).errors).toContain('Did you mean "airtime"?')
  const path = join(folder({ 'kiosk.yaml': JSON.stringify(scenarioOf()) }), 'kiosk.yaml')
  expect(await run(`scenario lint ${path}`)).toMatchObject({ code: 0, errors: '' })
  expect((await run(`scenario explain ${path} --on airtime`)).out).toContain(`POST ${PATH}`)
  expect((await run('__complete words scenario explain --on airt')).out).toBe('airtime\tan airtime purchase\n')
})

it('has a method and a type in the generated client', () => {
  const client = serviceClientText()
  expect(client).toContain('createAirtime(')
  expect(client).toMatch(/PaymentKind =[^;]*'airtime'/)
})
