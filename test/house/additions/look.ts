/** Run in a copy of mfano to which one of each was added: goes through every surface, and prints what it saw. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serviceClientText } from '../../../install/generate/client.ts'
import { runCommand } from '../../../src/apps/cli/run.ts'
import { type AnyControl, controlOf } from '../../../src/client/control.ts'
import { scenarioSchemaText } from '../../../src/core/schema-text.ts'
import { silentLog } from '../../../src/hosts/node/log.ts'
import { shippedScenarios } from '../../../src/hosts/node/package.ts'
import { settingsOf } from '../../../src/hosts/node/settings.ts'
import { startSimulator } from '../../../src/hosts/node/simulator.ts'
import { recordOf } from '../../../src/judge/explore/choice.ts'
import { optionsOf } from '../../../src/judge/explore/options.ts'
import { scenarioOf } from '../../../src/judge/explore/scenario-of.ts'
import { storyOf } from '../../../src/judge/explore/tell.ts'
import { mutantsOf } from '../../../src/judge/mutants/mutations.ts'
import { paymentsService } from '../../../src/service/service.ts'

/** A merchant who answers callbacks as told. */
let answer = 200
const got: string[] = []
const merchant = createServer((request, response) => {
  let body = ''
  request.on('data', (part) => {
    body += part
  })
  request.on('end', () => {
    got.push(body)
    response.writeHead(answer).end()
  })
}).listen(0, '127.0.0.1')
await new Promise((done) => merchant.once('listening', done))
const callbackUrl = `http://127.0.0.1:${(merchant.address() as AddressInfo).port}/callback`

const simulator = await startSimulator(settingsOf({ port: '0', data: ':memory:', log: 'off' }), silentLog)
// biome-ignore lint/suspicious/noExplicitAny: whatever is answered is printed
type Any = any

interface Met {
  baseUrl: string
  token: string
  control: AnyControl
}

async function worldOf(scenario: object): Promise<Met> {
  const body = { scenario: JSON.stringify({ description: 'd', ...scenario }), clock: { mode: 'frozen' } }
  const make: AnyControl = controlOf(simulator.baseUrl)
  const { baseUrl, credentials } = await make<Any>('POST', '/worlds', { body })
  const { apiKey, apiSecret } = credentials
  const login = { method: 'POST', headers: { 'content-type': 'application/json' } }
  const tokens = await fetch(`${baseUrl}/api/v1/get-token`, { ...login, body: JSON.stringify({ apiKey, apiSecret }) })
  return { baseUrl, token: ((await tokens.json()) as Any).data.access_token, control: controlOf(baseUrl) }
}

async function ask({ baseUrl, token }: Met, path: string, body?: object) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
  const response = await fetch(`${baseUrl}/api/sandbox/v1${path}`, init)
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

const payout = { phoneNumber: '254712345678', amount: 100, remarks: 'Salary', occasion: 'May', callbackUrl }

async function paid(
  world: Met,
  then: object,
): Promise<{ uuid: string; explained: string; coverage: Any; findings: Any }> {
  const { text } = await ask(world, '/send-money', payout)
  const uuid = JSON.parse(text).data.requestId
  await world.control('POST', '/clock/advance', { body: { by: '1h' } })
  const explained = JSON.stringify(await world.control<Any>('GET', `/payments/${uuid}/explain`))
  const coverage = await world.control<Any>('GET', '/coverage')
  const books = [{ requestId: uuid, kind: 'send-money', amount: 100, status: 'SUCCESS', ...then }]
  const { findings, warnings } = await world.control<Any>('POST', '/reconcile', { body: books })
  return { uuid, explained, coverage, findings: [...findings, ...warnings] }
}

async function run(...typed: string[]): Promise<string> {
  let out = ''
  const write = (text: string) => {
    out += text
  }
  const output = { out: write, error: write }
  await runCommand(typed, { ...output, paint: (_: unknown, text: string) => text, width: 200 } as Any)
  return out
}

const saw: Record<string, unknown> = {}

async function service(): Promise<void> {
  const world = await worldOf({ name: 'motto' })
  const page = async (path: string) => (await fetch(world.baseUrl + path)).text()
  saw['operation of the service'] = {
    answer: await ask(world, '/org/motto'),
    contract: JSON.parse(await page('/openapi.json')).paths['/api/sandbox/v1/org/motto']?.get.operationId,
    docs: (await page('/docs')).includes('Read the motto of the provider'),
    client: serviceClientText().includes('getMotto('),
    covered: (await world.control<Any>('GET', '/coverage')).operations.hit.includes('getMotto'),
    schema: scenarioSchemaText(paymentsService).length > 0,
    faults: (await worldOf({ name: 'm', faults: [{ on: 'getMotto', then: { status: 503 } }] })).baseUrl !== '',
  }
  const fidelity = JSON.stringify(await world.control<Any>('GET', '/fidelity'))
  await world.control('PUT', '/assumptions/:id', { path: { id: 'motto-case' }, body: { value: 'capitals' } })
  saw['assumption'] = {
    listed: fidelity.includes('Is the motto told in capitals?'),
    inForce:
      world && simulator.worlds.get(new URL(world.baseUrl).pathname.slice(3)).core.scenario.assumptions['motto-case'],
    docs: (await page('/docs/api/assumptions')).includes('motto-case'),
    schema: scenarioSchemaText(paymentsService).includes('motto-case'),
  }
}

async function controlPlane(): Promise<void> {
  const world = await worldOf({ name: 'drain' })
  const { paths } = JSON.parse(await (await fetch(`${world.baseUrl}/_mfano/openapi.json`)).text())
  const { responses } = paths['/_mfano/wallets/drain'].post
  const refused = await fetch(`${world.baseUrl}/_mfano/wallets/drain`, {
    method: 'POST',
    body: JSON.stringify({ amount: 9, held: 5 }),
  })
  saw['control operation'] = {
    answer: await world.control('POST', '/wallets/drain', { body: { amount: 2, held: 5 } }),
    refused: refused.status,
    declared: responses['402']['x-codes'],
    listed: (await (await fetch(`${world.baseUrl}/_mfano`)).text()).includes('/wallets/drain'),
    command: await run('wallet', 'drain', '--amount', '2', '--held', '5', '--url', world.baseUrl),
  }
}

async function callbacks(): Promise<void> {
  const faulty = { callbacks: { faults: [{ name: 'half', on: 'any', then: { half: true } }] } }
  const world = await worldOf({ name: 'half', ...faulty })
  answer = 400
  const { explained, coverage, findings } = await paid(world, {})
  saw['callback fault'] = {
    received: got.at(-1)?.length,
    isCut: isBroken(got.at(-1) ?? ''),
    explained: explained.includes('half of its body'),
    covered: coverage.callbacks.hit.includes('half-a-body'),
    blamed: findings.map(({ code }: Any) => code),
    schema: scenarioSchemaText(paymentsService).includes('only the first half of the body arrives'),
  }
  answer = 302
  const moved = await paid(await worldOf({ name: 'moved' }), {})
  answer = 200
  saw['finding'] = moved.findings.filter(({ code }: Any) => code === 'callback_redirected')
}

function isBroken(text: string): boolean {
  try {
    JSON.parse(text)
    return false
  } catch {
    return true
  }
}

async function answers(): Promise<void> {
  const faults = [{ name: 'a proxy', on: 'createSendMoney', then: { html: true } }]
  const world = await worldOf({ name: 'html', faults })
  const { requests } = await ask(world, '/send-money', payout).then(async (seen) => {
    saw['response fault'] = seen
    return world.control<Any>('GET', '/requests')
  })
  const asked = { operation: 'createSendMoney', request: payout }
  const explained = await world.control<Any>('POST', '/scenario/explain', { body: asked })
  const previewed = await world.control<Any>('POST', '/scenario/preview', {
    body: { kind: 'send-money', request: payout },
  })
  Object.assign(saw['response fault'] as object, {
    journal: requests[0].fault,
    explained: JSON.stringify(explained).includes('a proxy'),
    previewed: JSON.stringify(previewed).includes('answered with a page of HTML'),
    scenario: JSON.stringify(await world.control<Any>('GET', '/scenario')).includes('a page of HTML'),
    schema: scenarioSchemaText(paymentsService).includes('a page of HTML, as a proxy answers'),
    lint: (
      await world.control<Any>('POST', '/scenario/lint', {
        body: { name: 'x', description: 'y', faults: [{ on: '*', then: { html: true, reset: true } }] },
      })
    ).problems.map(({ message }: Any) => message),
  })
}

function judges(): void {
  const options = optionsOf({ kind: 'till', nth: 1 }).filter((one) => 'as' in one && (one.as as string) === 'thrice')
  const tried = optionsOf({ kind: 'till', nth: 1 }).filter(
    (one) => 'as' in one && /^(half|html)$/.test(one.as as string),
  )
  Object.assign(saw['callback fault'] as object, { tried: storyOf(tried.filter((one) => one.do === 'tell')) })
  Object.assign(saw['response fault'] as object, { tried: storyOf(tried.filter((one) => one.do === 'spoil')) })
  saw['choice'] = {
    offered: options,
    story: storyOf(options),
    scenario: JSON.stringify(scenarioOf(options, [])),
    record: options.map((one) => recordOf(one).about(one)),
  }
  const told = { in: 'answer' as const, of: 'getTill', method: 'GET', bodies: [{ data: { receipt: 'ABC' } }] }
  saw['mutation'] = mutantsOf([told]).map(({ field, change }) => `${field} ${change}`)
}

async function rest(): Promise<void> {
  const { countries } = paymentsService
  saw['country'] = {
    currencies: countries.spellings,
    schema: scenarioSchemaText(paymentsService).includes('RWF'),
    client: /export type Currency = .*'RWF'/.test(serviceClientText()),
    funded: (await worldOf({ name: 'rw', wallets: { RWF: 500 } })).baseUrl !== '',
  }
  saw['command'] = {
    run: await run('motto'),
    help: (await run('help')).includes('Prints the motto.'),
    completed: await run('__complete', 'words', 'mot'),
  }
  saw['scenario'] = {
    shipped: shippedScenarios().includes('till-thrice'),
    list: (await run('scenario', 'list')).includes('till-thrice'),
  }
}

await service()
await controlPlane()
await callbacks()
await answers()
judges()
await rest()
await simulator.close()
merchant.close()
console.log(JSON.stringify(saw))
