/** Every operation of the control plane through every door that is not HTTP: command line, kits, agents. */
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { commandOf } from '../../src/apps/cli/command.ts'
import { findCommand } from '../../src/apps/cli/find-command.ts'
import { entries } from '../../src/apps/cli/tree.ts'
import { answerAgent } from '../../src/apps/mcp/mcp-server.ts'
import { namedControl, worldControl } from '../../src/apps/testing/world-control.ts'
import type { JsonSchema } from '../../src/http/json-schema.ts'
import { operationFields, operations } from '../../src/server/operation-fields.ts'
import { useBench } from '../support/harness.ts'
import { serving } from '../support/listening.ts'
import { answer, folder } from './cli/support.ts'

const bench = useBench()
const all = [...operations.values()].map((declared) => ({ id: declared.id, declared }))

/** What came to the server, and what it answered. */
let heard: { method: string; path: string; answered: string }[] = []
let proxy: string

/** Hands everything on, and ends streams at once. */
const answerBehind: RequestListener = async (request, response) => {
  const sent = await buffer(request)
  const { method = '', url = '' } = request
  const answered = await fetch(`${bench.simulator.baseUrl}${url}`, {
    method,
    headers: {
      'content-type': request.headers['content-type'] ?? 'application/json',
      accept: request.headers.accept ?? '*/*',
    },
    ...(sent.length > 0 && { body: new Uint8Array(sent) }),
  })
  const stream = answered.headers.get('content-type')?.includes('event-stream')
  if (stream) await answered.body?.cancel()
  const body = stream ? Buffer.alloc(0) : Buffer.from(await answered.arrayBuffer())
  heard.push({
    method,
    path: url.replace(/^\/w\/[^/]+/, '').replace(/\?.*$/, ''),
    answered: body.toString('latin1', 0, 500),
  })
  response
    .writeHead(answered.status, { 'content-type': answered.headers.get('content-type') ?? 'text/plain' })
    .end(body)
}
let gone: () => Promise<void>
beforeAll(async () => {
  proxy = await serving(answerBehind, (close) => {
    gone = close
  })
})
afterAll(() => gone())

function sample(name: string, { type, enum: known }: JsonSchema): unknown {
  const [first] = [type].flat()
  return known?.[0] ?? { integer: 1, number: 1, boolean: true, array: [], object: {} }[String(first)] ?? `a-${name}`
}

/** What is asked with: all that is needed, and what keeps it short. */
function parametersOf(id: string): Record<string, unknown> {
  const declared = operations.get(id)
  const told = Object.fromEntries(
    (declared ? operationFields(declared) : [])
      .filter(({ required }) => required)
      .map(({ name, schema }) => [name, sample(name, schema)]),
  )
  const short = {
    'world.wait': { timeout: '1ms' },
    'world.populate': { profile: 'none' },
    'mutation.set': { change: { multiply: 2 } },
  }
  return { ...told, ...short[id as keyof typeof short] }
}

/** Expects that what was heard last is the operation, and that its route answered. */
function expectReached(id: string, told: unknown): void {
  const matching = heard.findLast(({ method, path }) => {
    const [first] = [...operations.values()].filter(
      (one) => one.method === method && new RegExp(`^/_mfano${one.path.replaceAll(/:\w+/g, '[^/]+')}$`).test(path),
    )
    return first?.id === id
  })
  expect(matching, `${id} was not reached: ${JSON.stringify(told)}`).toBeDefined()
  expect(matching?.answered).not.toContain('nothing is at')
}

it('knows about a hundred operations', () => {
  expect(all.length).toBeGreaterThan(90)
})

it('has one command for each that is not of our own programs, which takes all that it needs', async () => {
  for (const { id, declared } of all) {
    const [noun = '', verb] = commandOf(id)
    const entry = entries.find(({ name }) => name === noun)
    const loaded = await entry?.load()
    const found = loaded && 'commands' in loaded ? loaded.commands.filter(({ name }) => name === verb) : [loaded]
    const hasOne = found.length === 1 && found[0] !== undefined
    expect([id, hasOne]).toEqual([id, !declared.internal])
  }
})

/** These are typed, or ask more than once, in a way of their own. */
const byHand = /^(?:world\.(?:create|upload)|scenario\.(?!schema)|clock\.|payment\.collect|run\.|event)/

it('asks for each from the command line', async () => {
  const world = await bench.world()
  const files = folder()
  for (const { id, declared } of all) {
    if (declared.internal || byHand.test(id)) continue
    heard = []
    const parameters = parametersOf(id)
    const { command } = await findCommand(commandOf(id))
    const inWords = (command.fields ?? []).map((name) => {
      const schema = operationFields(declared).find((one) => one.name === name)?.schema ?? {}
      return String(parameters[name] ?? sample(name, schema))
    })
    const inFlags = command.flags.flatMap(({ name, field }) =>
      field !== undefined && parameters[field] !== undefined
        ? [`--${name}=${typeof parameters[field] === 'string' ? parameters[field] : JSON.stringify(parameters[field])}`]
        : [],
    )
    const out = command.words?.includes('[FILE]') ? [join(files, id)] : []
    const ran = await answer(
      [...commandOf(id), ...inWords, ...inFlags, ...out, '--url', proxy, '--world', world.id],
      80,
    )
    expectReached(id, ran)
  }
})

it('asks for each that is not of our own programs by a method of the kits', async () => {
  const control = worldControl(`${proxy}/w/${(await bench.world()).id}`, undefined)
  const named: Record<string, Record<string, (given: never) => Promise<unknown>>> = namedControl(control)
  for (const { id, declared } of all) {
    heard = []
    const [noun = '', verb = ''] = id.split('.')
    const told = await named[noun]?.[verb]?.(parametersOf(id) as never).catch((error: Error) => error.message)
    if (declared.internal) expect([id, told, heard]).toEqual([id, undefined, []])
    else expectReached(id, told)
  }
})

it('asks for each as an agent', async () => {
  const client = new Client({ name: 'an agent', version: '1.0.0' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${proxy}/_mfano/mcp`), {
      fetch: async (address, init) => answerAgent(new Request(address, init), { baseUrl: proxy, version: 'test' }),
    }),
  )
  onTestFinished(() => client.close())
  const world = (await bench.world()).id
  for (const { id } of all) {
    heard = []
    const told = await client.callTool({
      name: 'ask_operation',
      arguments: { world, operation: id, with: parametersOf(id) },
    })
    expectReached(id, told)
  }
})
