/** Real traffic against mfano: recorded by the proxy, compared with mfano's contract. */
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { startMfano } from '../../../src/apps/testing/index.ts'
import { answer, folder } from '../../apps/cli/support.ts'
import { type Passing, spoilingProxy } from './spoiling-proxy.ts'
import { day, FIRST_PASSWORD, read, recorded } from './support.ts'

/** Many worlds, on a machine that may be busy. */
vi.setConfig({ testTimeout: 400_000 })
const SECRETS = ['mfano-key', 'mfano-secret', 'not-the-secret-at-all', FIRST_PASSWORD, 'eyJ']

function expectNoSecret(...texts: string[]): void {
  for (const text of texts) for (const secret of SECRETS) expect(text).not.toContain(secret)
}

it('finds nothing in its own traffic, and writes down no secret', async () => {
  await using server = await startMfano()
  const world = await server.world()
  const { file, said } = await recorded(world.baseUrl, (url) => day(world, url))
  const { code, text, found } = await read(file)
  expect({ code, found }).toEqual({ code: 0, found: [] })
  expectNoSecret(said, text)
})

it('takes what the traffic decides for no difference', async () => {
  const assumptions = { 'error-body': 'flat', 'success-record': 'bare', 'list-order': 'newest-first' } as const
  const otherwise = { name: 'otherwise', description: 'Another service.', assumptions }
  await using server = await startMfano()
  const world = await server.world({ scenario: otherwise })
  const { file, said } = await recorded(world.baseUrl, (url) => day(world, url))
  const { code, text, found } = await read(file)
  expect({ code, found }).toEqual({ code: 0, found: [] })
  expectNoSecret(said, text)
})

/** What is done to answers of `METHOD path`, and what a comparison calls it. */
const planted: Record<string, { found: string; spoil(answer: Passing): Partial<Passing> }> = {
  'POST /api/v1/get-token': {
    found: 'getToken status type',
    spoil: ({ text }) => ({ text: text.replace('"200 OK"', '200') }),
  },
  'POST /api/sandbox/v1/send-money': {
    found: 'createSendMoney status',
    spoil: ({ status }) => ({ status: status === 201 ? 200 : status }),
  },
  'POST /api/sandbox/v1/till': {
    found: 'createTillPayment data.amount type',
    spoil: ({ text }) => ({ text: text.replace(/"amount":([\d.]+)/, '"amount":"$1"') }),
  },
  'POST /api/sandbox/v1/bank/payout/new': {
    found: 'createBankPayout media-type',
    spoil: () => ({ headers: { 'content-type': 'text/plain' } }),
  },
  'POST /api/sandbox/v1/stk/new': {
    found: 'createStkCollection message value',
    spoil: ({ text }) => ({ text: text.replace(/"message":"[^"]*"/, '"message":"Sent to the phone"') }),
  },
  'POST /api/sandbox/v1/multiaccount/new/organisation': {
    found: 'createSubAccount limits extra',
    spoil: ({ text }) => ({ text: text.replace(/\}$/, ',"limits":{"daily":1000}}') }),
  },
  'GET /api/sandbox/v1/send-money/single': {
    found: 'getSendMoney data.organisation.createdAt form',
    spoil: ({ text }) => ({ text: text.replace(/("createdAt":"[^"]*)"/, '$1Z"') }),
  },
  'GET /api/sandbox/v1/till/single': {
    found: 'getTillPayment data.uuid form',
    spoil: ({ text }) => ({ text: text.replace(/("uuid":"[0-9a-f]{8})-/, '$1') }),
  },
  'GET /api/sandbox/v1/till/status': {
    found: 'getTillPaymentStatus data.accountNumber missing',
    spoil: ({ text }) => ({ text: text.replace(/"accountNumber":"77",/, '') }),
  },
  'GET /api/sandbox/v1/till/all': {
    found: 'listTillPayments data[].till extra',
    spoil: ({ text }) => ({ text: text.replace('"data":[{', '"data":[{"till":"51",') }),
  },
  'GET /api/sandbox/v1/paybill/all': {
    found: 'listPaybillPayments data[].channelCode extra',
    spoil: ({ text }) => ({ text: text.replace('"data":[{', '"data":[{"channelCode":7,') }),
  },
  'GET /api/sandbox/v1/stk/all': {
    found: 'listStkCollections status',
    spoil: () => ({ status: 206 }),
  },
  'GET /api/sandbox/v1/multiaccount/wallet/total/breakdown': {
    found: 'getWalletBreakdown [].tillTotal extra',
    spoil: ({ text }) => ({ text: text.replaceAll(/"totalTill":/g, '"tillTotal":0,"totalTill":') }),
  },
  'GET /api/sandbox/v1/no/such/page': {
    found: 'GET /api/sandbox/v1/no/such/page status',
    spoil: () => ({ status: 200, text: '{"status":200,"data":[]}' }),
  },
}

/** What those are not: a number that is too large, a list for an object, nothing at all. */
const others: typeof planted = {
  'GET /api/sandbox/v1/paybill/single': {
    found: 'getPaybillPayment data.id type',
    spoil: ({ text }) => ({ text: text.replace(/"data":\{"id":\d+/, '"data":{"id":12345678901234567890') }),
  },
  'GET /api/sandbox/v1/till/single': {
    found: 'getTillPayment data type',
    spoil: ({ text }) => ({ text: text.replace(/"data":(\{.*\})\}$/, '"data":[$1]}') }),
  },
  'GET /api/sandbox/v1/stk/all': {
    found: 'listStkCollections status',
    spoil: () => ({ status: 204, text: '' }),
  },
}

describe('a service that is another one in some places', () => {
  it.each([
    ['each of them', planted, 14],
    ['others', others, 3],
  ])('is found out in %s', async (_name, planted, count) => {
    expect(Object.keys(planted)).toHaveLength(count)
    await using server = await startMfano()
    const world = await server.world()
    const between = await spoilingProxy(world.baseUrl, (passing) => {
      const { spoil } = planted[`${passing.method} ${passing.path.split('?')[0]}`] ?? {}
      return { ...passing, ...spoil?.(passing) }
    })
    const { file, said } = await recorded(between, (url) => day(world, url))
    const { code, text, found } = await read(file)
    expect(found.toSorted()).toEqual(
      Object.values(planted)
        .map((one) => one.found)
        .toSorted(),
    )
    expect(code).toBe(1)
    expectNoSecret(said, text)
  })
})

it('says of a file that is no traffic what it expected', async () => {
  const file = join(folder({ 'no.har': '{"log":{}}' }), 'no.har')
  expect(await answer(['calibrate', '--from', file])).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/holds no traffic\. Expected a HAR file/),
  })
})
