/** Agents: the Model Context Protocol over a process and over HTTP, by its own client. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, it, onTestFinished } from 'vitest'
import { answerAgent } from '../../../src/apps/mcp/mcp-server.ts'
import { silentLog } from '../../../src/hosts/node/log.ts'
import { settingsOf } from '../../../src/hosts/node/settings.ts'
import { startSimulator } from '../../../src/hosts/node/simulator.ts'
import { controlOperations } from '../../../src/server/control-operations.ts'
import { payoutTo } from '../../support/bodies.ts'
import { mfano } from '../../support/program.ts'
import { entry } from '../../support/program-entry.ts'
import { folder } from '../cli/support.ts'

async function serve(more: Record<string, string> = {}) {
  const settings = settingsOf({ port: '0', data: ':memory:', log: 'off', ...more })
  const simulator = await startSimulator(settings, silentLog, { agents: answerAgent })
  onTestFinished(() => simulator.close())
  return { ...simulator, baseUrl: `http://127.0.0.1:${simulator.port}` }
}

async function agentAt(transport: StreamableHTTPClientTransport | StdioClientTransport): Promise<Client> {
  const client = new Client({ name: 'an agent', version: '1.0.0' })
  await client.connect(transport)
  onTestFinished(() => client.close())
  return client
}

const overHttp = (baseUrl: string, headers: Record<string, string> = {}) =>
  agentAt(new StreamableHTTPClientTransport(new URL(`${baseUrl}/_mfano/mcp`), { requestInit: { headers } }))
const overProcess = (baseUrl: string, env: Record<string, string> = {}) =>
  agentAt(new StdioClientTransport({ command: process.execPath, args: [entry, 'mcp', '--url', baseUrl], env }))

/** What a tool answers, as text; and whether it was a refusal. */
async function use(client: Client, name: string, given: object = {}) {
  const { content, isError = false } = await client.callTool({ name, arguments: { ...given } })
  const [part] = content as { type: string; text: string }[]
  return { text: part?.text ?? '', refused: isError }
}

/** The first afternoon of an agent: a world, a customer who pays, and why it ended as it did. */
async function rehearse(client: Client) {
  const clock = { mode: 'frozen', start: '2025-01-24T16:28:00' }
  const made = JSON.parse((await use(client, 'make_world', { id: 'rehearsal', clock })).text)
  const paid = await use(client, 'pay_in', { world: 'rehearsal', way: 'stk', phoneNumber: '254712000402', amount: 250 })
  const settled = JSON.parse((await use(client, 'settle', { world: 'rehearsal', within: '1d' })).text)
  const { uuid } = JSON.parse(paid.text)
  const explained = await use(client, 'explain_payment', { world: 'rehearsal', id: uuid })
  return { made, settled, explained: explained.text }
}

it.each([
  ['HTTP', overHttp],
  ['a process', overProcess],
] as const)('lets an agent rehearse over %s', async (_, reach) => {
  const { baseUrl } = await mfano('--port', '0', '--data', ':memory:').ready()
  const client = await reach(baseUrl)
  const { made, settled, explained } = await rehearse(client)
  expect(made).toMatchObject({ baseUrl: `${baseUrl}/w/rehearsal`, credentials: { apiKey: 'mfano-key' } })
  expect(settled).toMatchObject({ now: expect.stringMatching(/^2025-01-24T16:28:/) })
  expect(explained).toMatch(
    /^stk .* KES 250\.00: FAILED\n[\s\S]*Stopped: The balance is insufficient for the transaction \(1\): the rule "[^"]+" decided so\. FAILED is final/,
  )
})

it('offers what runs programs of the user to a process only', async () => {
  const { baseUrl } = await serve()
  const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name)
  const [http, stdio] = await Promise.all([overHttp(baseUrl), overProcess(baseUrl)])
  const names = await namesOf(http)
  expect(names).toContain('explain_payment')
  expect(names).not.toContain('gauntlet')
  expect(await namesOf(stdio)).toEqual([...names, 'gauntlet', 'reproduce', 'prove', 'calibrate'])
})

it('calibrates for an agent: a plan, and what is free to ask', async () => {
  const { baseUrl, credentials } = await mfano('--port', '0', '--data', ':memory:').ready()
  const { apiKey, apiSecret, companyId } = credentials
  const client = await overProcess(baseUrl, {
    PAYMENTS_KEY: apiKey,
    PAYMENTS_SECRET: apiSecret,
    PAYMENTS_COMPANY: companyId,
    PAYMENTS_BASE_URL: baseUrl,
  })
  const given = { assumptions: ['error-body'] }
  const plan = JSON.parse((await use(client, 'calibrate', { ...given, plan: true })).text)
  expect(plan.ways).toMatchObject([{ assumption: 'error-body', tier: 'free', isAllowed: true }])
  const report = JSON.parse((await use(client, 'calibrate', given)).text)
  expect(report).toMatchObject({ stopped: null, payments: 0, answers: [{ verdict: 'holds', alternative: 'nested' }] })
})

it('sends keys to no address of an agent, overwrites no file for it, and takes none of its words for a flag', async () => {
  const { baseUrl } = await serve()
  const directory = folder({ 'precious.txt': 'precious' })
  const client = await overProcess(baseUrl, { PAYMENTS_BASE_URL: baseUrl, PAYMENTS_KEY: 'k', PAYMENTS_SECRET: 's' })
  expect((await use(client, 'calibrate', { baseUrl: 'http://other.test', plan: true })).refused).toBe(true)
  const out = join(directory, 'precious.txt')
  expect(await use(client, 'calibrate', { out })).toEqual({
    refused: true,
    text: expect.stringContaining('not there yet'),
  })
  expect(readFileSync(out, 'utf8')).toBe('precious')
  for (const [tool, given] of Object.entries({ gauntlet: {}, prove: {}, reproduce: { traffic: '--tls' } }))
    for (const file of [`--init=${baseUrl}`, '/bin/true', '--init=precious.yaml'])
      expect((await use(client, tool, { file, ...given })).text).toMatch(/expected a merchant file|cannot be read/)
  const without = await overProcess(baseUrl)
  expect((await use(without, 'calibrate', { plan: true })).text).toContain('PAYMENTS_BASE_URL')
})

it('lists every operation with what it takes, and asks for any of them', async () => {
  const client = await overHttp((await serve()).baseUrl)
  const all = JSON.parse((await use(client, 'list_operations')).text) as { operation: string }[]
  expect(all.map(({ operation }) => operation)).toEqual(
    controlOperations.filter((one) => !one.internal).map(({ id }) => id),
  )
  const [found, ...others] = JSON.parse(
    (await use(client, 'list_operations', { search: 'alternative of an assumption' })).text,
  )
  expect(others).toEqual([])
  expect(found).toMatchObject({
    operation: 'assumption.choose',
    with: { id: { required: true, description: expect.stringContaining('assumption') }, value: { type: 'string' } },
  })
  const chosen = { operation: 'assumption.choose', with: { id: 'error-body', value: 'flat' } }
  expect(JSON.parse((await use(client, 'ask_operation', chosen)).text)).toEqual({ id: 'error-body', inForce: 'flat' })
  expect(await use(client, 'ask_operation', { operation: 'assumption.chose' })).toEqual({
    refused: true,
    text: expect.stringMatching(/no operation "assumption.chose"\. Did you mean "assumption.choose"\?/),
  })
})

it('says every tool what it takes, and which change nothing', async () => {
  const client = await overHttp((await serve()).baseUrl)
  const { tools } = await client.listTools()
  expect(tools.filter(({ description = '' }) => description.length < 40)).toEqual([])
  const undescribed = tools.flatMap(({ name, inputSchema: { properties = {} } }) =>
    Object.entries(properties as Record<string, { description?: string; enum?: unknown }>)
      .filter(
        ([field, { description, enum: known }]) =>
          !description && !known && !/^(?:id|url|amount|status|limit|account)/.test(field),
      )
      .map(([field]) => `${name}.${field}`),
  )
  expect(undescribed).toEqual([])
  const readOnly = tools.filter(({ annotations }) => annotations?.readOnlyHint).map(({ name }) => name)
  expect(readOnly).toEqual(expect.arrayContaining(['explain_payment', 'lint_scenario', 'preview_request', 'report']))
  expect(readOnly).not.toContain('settle')
  const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint).map(({ name }) => name)
  expect(destructive).toEqual(['use_scenario', 'ask_operation'])
  const open = tools.filter(({ annotations }) => annotations?.openWorldHint).map(({ name }) => name)
  expect(open).toEqual(['advance_clock', 'settle', 'doctor', 'ask_operation'])
})

it('tells a refusal in words that mend the call', async () => {
  const client = await overHttp((await serve()).baseUrl)
  expect(await use(client, 'settle', { world: 'nowhere' })).toEqual({
    refused: true,
    text: 'No such world: There is no world "nowhere". Make it: make_world {"id":"nowhere"}',
  })
  // What an agent believes that a tool takes, and it does not.
  const misnamed = await use(client, 'make_world', { world: 'mine' })
  expect(misnamed).toEqual({ refused: true, text: expect.stringContaining('"world"') })
  expect(JSON.parse((await use(client, 'list_worlds')).text).worlds).toHaveLength(1)
  const wrong = 'name: x\ndescription: y\nrules: [{ name: a, on: tll, then: { after: 1s, end: FAILED } }]'
  expect((await use(client, 'lint_scenario', { body: wrong })).text).toMatch(/Did you mean \\"till\\"/)
  expect((await use(client, 'advance_clock', { by: 'soon' })).text).toContain('by: must be a duration')
})

it('says what moves a payment on as the call of a tool', async () => {
  const client = await overHttp((await serve()).baseUrl)
  await use(client, 'make_world', { id: 'still', clock: { mode: 'frozen' } })
  const paying = { world: 'still', way: 'stk', phoneNumber: '254712345678', amount: 250 }
  const { uuid } = JSON.parse((await use(client, 'pay_in', paying)).text)
  const told = /Move the clock, which stands still: advance_clock \{"by":"\w+"\}\n/
  expect((await use(client, 'explain_payment', { world: 'still', id: uuid })).text).toMatch(told)
  expect((await use(client, 'report', { world: 'still' })).text).toMatch(told)
})

it('compares books, previews a request and examines an address', async () => {
  const client = await overHttp((await serve()).baseUrl)
  const books = [{ reference: 'salary-1', kind: 'send-money', amount: 100, currency: 'KES', status: 'SUCCESS' }]
  expect((await use(client, 'reconcile', { books })).text).toMatch(/"code": "[a-z_]+"[\s\S]*salary-1/)
  const request = payoutTo('http://localhost:1/', { phoneNumber: '254712000404' })
  expect((await use(client, 'preview_request', { kind: 'send-money', request })).text).toContain('FAILED')
  expect((await use(client, 'doctor', { url: 'http://127.0.0.1:1/' })).text).toContain('connection refused')
})

it('is guarded like the control plane', async () => {
  const { baseUrl } = await serve({ adminToken: 's3cret' })
  await expect(overHttp(baseUrl)).rejects.toThrow()
  const client = await overHttp(baseUrl, { authorization: 'Bearer s3cret' })
  expect(JSON.parse((await use(client, 'list_worlds')).text).worlds).toHaveLength(1)
  const foreign = await fetch(`${baseUrl}/_mfano/mcp`, { method: 'POST', headers: { origin: 'http://evil.example' } })
  expect(foreign.status).toBe(403)
})

it('says in a world where agents are answered', async () => {
  const { baseUrl } = await serve()
  await fetch(`${baseUrl}/_mfano/worlds`, { method: 'POST', body: '{"id":"shop"}' })
  const answer = await fetch(`${baseUrl}/w/shop/_mfano/mcp`, { method: 'POST' })
  expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining(`${baseUrl}/_mfano/mcp`)])
})

it('answers HEAD to its end', async () => {
  const { baseUrl } = await serve()
  const answer = await fetch(`${baseUrl}/_mfano/mcp`, { method: 'HEAD', headers: { accept: 'text/event-stream' } })
  expect([answer.status, await answer.text()]).toEqual([405, ''])
})

it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('knows no tool %s', async (name) => {
  const client = await overHttp((await serve()).baseUrl)
  await expect(client.callTool({ name, arguments: {} })).rejects.toThrow(/not found/i)
})
