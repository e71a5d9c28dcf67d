/** Refusals: what an operation declares can be thrown, and it throws nothing else. */
import { expect, it, vi } from 'vitest'
import { defaultsOf } from '../../src/core/model/assumption.ts'
import { controlRefusals, reason } from '../../src/core/model/refusal.ts'
import { StorageFailure } from '../../src/core/sql.ts'
import { type Operation, operation } from '../../src/http/operation.ts'
import { BODY_LIMITS } from '../../src/http/read-body.ts'
import { serviceApp } from '../../src/http/serve.ts'
import { kinds, contract as operations, paymentsService, serviceOf } from '../../src/service/service.ts'
import { files, textOf } from '../house/source.ts'
import { controlDocument } from '../support/control-check.ts'
import { type Answer, type TestWorld, useBench } from '../support/harness.ts'
import { subAccountOf, verdict } from './assumptions/sending.ts'

const bench = useBench()
const source = files
  .filter((file) => file !== 'core/model/refusal.ts')
  .map(textOf)
  .join('\n')
const declared = Object.values(controlDocument().paths)
  .flatMap((methods) => Object.values(methods))
  .flatMap(({ responses }) => Object.values(responses).flatMap((one) => one['x-codes'] ?? []))

/** Only a program of mfano's own, or whoever posts to an inbox, is told so, and what they ask is in no contract. */
const outOfContract = 'BAD_GATEWAY DELIVERY_OVER FORWARDER_REPLACED TOO_MANY_FORWARDERS TOO_MANY_PARTICIPANTS'.split(
  ' ',
)

it.each(Object.keys(controlRefusals))('names %s somewhere, and some operation of the contract declares it', (name) => {
  const { code = name } = controlRefusals[name as keyof typeof controlRefusals] as { code?: string }
  expect(source).toContain(`'${name}'`)
  expect(declared.includes(code)).toBe(!outOfContract.includes(name))
})

it('has operations refuse by what they declare, and by nothing else', () => {
  const road = /^service\/(?:operations\/token|requests\/request)\.ts$/
  const past = files.filter(
    (file) =>
      file.startsWith('service/') &&
      !road.test(file) &&
      /(?:throw refused\(|new Refusal\(|Refusal\.named\()/.test(textOf(file)),
  )
  expect(past).toEqual([])
})

/** As the contract lists them, without what only a scenario answers. */
function listedOf(service: Pick<typeof paymentsService, 'contract'>, id: string, changes: Record<string, string>) {
  const assumptions = { ...defaultsOf(paymentsService.assumptions), ...changes }
  const { paths, components } = service.contract({ baseUrl: 'http://m.example', version: '1', assumptions })
  const found = Object.values(paths).flatMap((methods) => Object.values(methods))
  const responses = Object.entries(found.find(({ operationId }) => operationId === id)?.responses ?? {})
  return responses.flatMap(([status, { $ref = '' }]) =>
    status === 'default'
      ? []
      : (components.responses[$ref.split('/').at(-1) ?? '']?.['x-codes'] ?? []).map((code) => `${status} ${code}`),
  )
}

const NOBODY = '00000000-0000-4000-8000-0000000000aa'
const LONG = 'x'.repeat(400)
const assumed = {
  'unlisted-operations': 'on',
  'refresh-token': 'on',
  'bad-credentials': 'AUTH_FORBIDDEN',
  'duplicate-reference': 'refuse',
  'list-pages': 'twenty',
  'reference-lookup': 'off',
  'second-subscribe': 'refuse',
  'subscription-required': 'yes',
  'unknown-fields': 'refuse',
  'unsupported-media-type': '400',
  'unsupported-method': '404',
}

/** A world with a sub-account, which is subscribed. */
async function crowd(assumptions: Record<string, string>) {
  const kinds = [...paymentsService.kinds].filter(({ direction }) => direction !== 'none').map(({ name }) => name)
  const rails = { limits: [{ name: 'limit', on: kinds, perTransaction: 900_000_000_000 }] }
  const world = await bench.world({ scenario: { ...named, assumptions, rails } })
  await world.inside.perform({ command: 'subscribe', organisationId: 1 })
  return { world, sub: await subAccountOf(world) }
}
const named = { name: 'refusals', description: 'Whatever can be refused.', extends: 'default' }

const told = ({ status, body }: { status: number; body: unknown }) => verdict({ status, body } as Answer)

/** Sent past the sockets: a body that breaks off, and a world that fails. */
async function failures(world: TestWorld, one: Operation, path: string): Promise<string[]> {
  const app = serviceApp(paymentsService)
  const { commit } = world.inside
  const send = async (body?: ReadableStream) => {
    const { baseUrl } = world
    const env = { world: world.inside, baseUrl, path, connection: {}, observe: () => undefined }
    const headers = {
      authorization: `Bearer ${await world.token()}`,
      'content-type': 'application/json',
      'device-id': 'd',
    }
    const request = { method: one.method.toUpperCase(), headers, ...(body && { body, duplex: 'half' }) }
    const answer = await app.fetch(new Request(baseUrl + path, request as RequestInit), env)
    return told({ status: answer.status, body: await answer.json() })
  }
  const found =
    one.method === 'get' ? [] : [await send(new ReadableStream({ start: (it) => it.error(new Error('gone')) }))]
  for (const error of [
    new Error('planted'),
    new StorageFailure({ code: 'SQLITE_FULL', what: 'a', why: 'b', todo: 'c' }),
  ]) {
    const submit = vi.spyOn(commit, 'submit').mockRejectedValue(error as never)
    found.push(await send())
    submit.mockRestore()
  }
  return found
}

/** All that an operation can be made to refuse. */
async function refusalsOf(one: Operation, { world, sub }: Awaited<ReturnType<typeof crowd>>): Promise<Set<string>> {
  const method = one.method.toUpperCase()
  const example = (one.example?.(bench.receiver.url()) ?? {}) as Record<string, unknown>
  const names = Object.keys((one.query as { shape?: object } | undefined)?.shape ?? {})
  const companies = names.filter((name) => /^(?:companyId|parentOrganisationId)$/.test(name))
  const path = one.path.replace(/\{\w+\}/, NOBODY)
  const own: Record<string, string> = { companyId: world.companyId, parentOrganisationId: world.companyId }
  const token = await world.token()
  const found: string[] = []
  const ask = async (query: Record<string, string>, body: unknown, headers: object = {}, at = path, by = method) => {
    const all = { authorization: `Bearer ${token}`, 'device-id': 'd', ...headers }
    const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''))
    const parameters = new URLSearchParams(query).toString()
    const answer = await world.raw(by, `${at}?${parameters}`, {
      headers: sent,
      ...(method !== 'GET' && by === method && { body }),
    })
    if (answer.status >= 400) found.push(told(answer))
  }
  const valid = Object.fromEntries(names.map((name) => [name, own[name] ?? NOBODY]))
  const wrong = Object.fromEntries(['page', ...names].map((name) => [name, LONG]))
  const ours = { fromOrganisationId: world.companyId, toOrganisationId: sub.uuid }
  const { assumptions } = world.inside.core.scenario
  if (assumptions['unsupported-method'] === '405') await ask(valid, example, {}, path, 'DELETE')
  await ask(valid, example, { authorization: '' })
  await ask(valid, example, { authorization: 'Bearer none' })
  await ask(valid, example, { authorization: `Bearer ${sub.token}` })
  if (one.headers) await ask(valid, example, { 'device-id': '' })
  await ask({}, {})
  await ask(
    wrong,
    Object.fromEntries(Object.keys(example).map((name) => [name, {}])),
    {},
    one.path.replace(/\{\w+\}/, LONG),
  )
  await ask(valid, example)
  for (const name of companies) for (const id of [NOBODY, sub.uuid]) await ask({ ...valid, [name]: id }, example)
  await world.inside.perform({ command: 'set-subscription', organisationId: 1, active: false })
  await ask(valid, example)
  await world.inside.perform({ command: 'set-subscription', organisationId: 1, active: true })
  found.push(...(await failures(world, one, `${path}?${new URLSearchParams(valid)}`)))
  if (method === 'GET') return new Set(found)
  await ask({}, ' '.repeat(BODY_LIMITS['100kb'] + 1))
  if (!one.body) return new Set(found)
  await ask({}, 'no JSON')
  await ask({}, JSON.stringify(example), { 'content-type': 'text/plain' })
  const changed = (nth: number, changes: object = {}) => {
    const fresh = { apiKey: 'none', refreshToken: 'none', referenceId: `r-${nth}`, externalReference: `r-${nth}` }
    const others = Object.entries({ ...fresh, ...ours, ...changes }).filter(([name]) => name in example)
    return { ...example, ...Object.fromEntries(others) }
  }
  await ask({}, changed(1))
  await ask({}, changed(2, { amount: 900_000_000_000 }))
  await ask({}, changed(3, { amount: 999_999_999_999 }))
  await ask({}, changed(4), { authorization: `Bearer ${sub.token}` })
  return new Set(found)
}

/** A second cancel, one of money that the receiver has spent, and one into books that are full. */
async function cancelled({ world, sub }: Awaited<ReturnType<typeof crowd>>): Promise<string[]> {
  const allocate = async (amount: number) => {
    const body = { fromOrganisationId: world.companyId, toOrganisationId: sub.uuid, amount }
    return (await world.post('/api/sandbox/v1/allocations/new', body)).body.data.requestId
  }
  const cancel = async (id: string) =>
    told(await world.get(`/api/sandbox/v1/allocations/single/cancel?allocationId=${id}`))
  const [first, spent] = [await allocate(10), await allocate(20)]
  const till = { businessNumber: '512345', amount: 15, remarks: 'r', occasion: 'o', callbackUrl: bench.receiver.url() }
  await cancel(first)
  await world.post('/api/sandbox/v1/till', till, { token: sub.token })
  const found = [await cancel(first), await cancel(spent)]
  const large = await allocate(100_000)
  const fund = { command: 'fund-wallet', organisationId: 1, currency: 'KES' } as const
  for (let amountMinor = 2 ** 52; amountMinor > 1_000_000; amountMinor /= 2)
    await world.inside.perform({ ...fund, amountMinor }).catch(() => undefined)
  return [...found, await cancel(large)]
}

/** The first verdict of an operation in a world that lets nothing through. */
async function atFirst(one: Operation, world: TestWorld): Promise<string[]> {
  const path = one.path.replace(/\{\w+\}/, NOBODY)
  const headers = { authorization: `Bearer ${await world.token()}` }
  return [told(await world.raw(one.method.toUpperCase(), path, { headers }))]
}

it.each([
  ['by default', {}],
  ['under other assumptions', assumed],
] as [string, Record<string, string>][])(
  'answers of each operation what the contract lists, %s',
  async (_name, changes) => {
    const assumptions = { 'body-limit': '100kb', 'checkout-error-body': 'nested', ...changes }
    const made = await crowd(assumptions)
    const faults = [{ name: 'one', on: '*', then: { rateLimit: { max: 1, per: '1d' } } }]
    const limited = await bench.world({ scenario: { ...named, assumptions, faults } })
    await limited.get('/api/sandbox/v1/paybill/all')
    const found: Record<string, string[]> = {}
    const listed: Record<string, string[]> = {}
    for (const one of operations) {
      if (one.only && changes[one.only.assumption] !== one.only.is) continue
      const refused = await refusalsOf(one, made)
      for (const verdict of await atFirst(one, limited)) refused.add(verdict)
      if (one.id === 'cancelAllocation')
        for (const verdict of await cancelled(await crowd(assumptions))) refused.add(verdict)
      if (one.method === 'put') for (const verdict of await atFirst(one, await bench.world())) refused.add(verdict)
      found[one.id] = [...refused].sort()
      listed[one.id] = listedOf(paymentsService, one.id, assumptions).sort()
    }
    expect(found).toEqual(listed)
  },
)

const full = reason('resource', 'REQ_BAD_REQUEST', 'the shelf is full', { ground: 'own', status: 409 })

it('lists a new reason wherever refusals are listed, as soon as an operation declares it', () => {
  const shelve = operation({
    ...(operations.find(({ id }) => id === 'subscribeSubAccounts') as Operation),
    id: 'shelve',
    path: '/api/sandbox/v1/shelf',
    refuses: [full],
    handle: ({ refuse }) => {
      // @ts-expect-error: only what is declared can be thrown.
      void (() => refuse(reason('resource', 'REQ_BAD_REQUEST', 'the shelf is gone', 'own'), 'gone'))
      throw refuse(full, 'full')
    },
  })
  const service = serviceOf({ kinds, contract: [...operations, shelve] })
  expect(listedOf(service, 'shelve', {})).toContain('409 REQ_BAD_REQUEST')
  expect(listedOf(service, 'subscribeSubAccounts', {})).not.toContain('409 REQ_BAD_REQUEST')
  expect(service.facts).toContainEqual(expect.objectContaining({ about: 'refusal', name: full.when, basis: 'own' }))
})
