/** A finding is one record: its words and what to do, of which the documentation is made. */

import { expect, it } from 'vitest'
import { UTC } from '../../../src/core/model/calendar.ts'
import { type FindingCode, findingRecords } from '../../../src/inspect/finding.ts'
import { tell } from '../../../src/inspect/reconcile/compare.ts'
import type { FindingRecord } from '../../../src/inspect/reconcile/money-findings.ts'
import { differences } from '../../../src/inspect/reconcile/money-findings.ts'
import type { PaymentFacts } from '../../../src/inspect/reconcile/payment-facts.ts'
import { cases } from '../../corpus/cases.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'
import { EventReader } from '../../support/stream.ts'
import { ask, fatedWorld, type Line, trueBooks } from './fates.ts'

const all = Object.entries<FindingRecord<unknown>>(findingRecords)

const payment = {
  ...{ uuid: '3f0c2b1e-6a4d-4c58-9a57-0d6f6f1c9b7a', kind: 'payout', direction: 'out', party: '254712345678' },
  ...{ reference: 'salary-1b', amountMinor: 100_000, feeMinor: 0, currency: 'KES', status: 'SUCCESS', outcome: 'paid' },
  ...{ createdAtUs: 0, endedAtUs: 2, sinceUs: 2 },
} as PaymentFacts
const line = {
  number: 3,
  reference: 'salary-1',
  kind: 'till',
  currency: 'KES',
  status: 'SUCCESS',
  amountMinor: 10,
} as const
const facts = { payment, other: payment, line, refused: { reference: 'a', requestId: 'req_1', atUs: 0, status: 400 } }

function expectWhole(text: string): void {
  expect(text).toMatch(/[.]$/)
  expect(text).not.toMatch(/undefined|null|NaN|\[object/)
}

it.each(all)('%s is told in whole sentences', (code, { meaning, todo, sentence }) => {
  const said = code in differences ? [sentence(facts, UTC)] : []
  for (const text of [meaning, todo, ...said]) expectWhole(text)
})

it('is told by its record, as advice where something speaks for the app', () => {
  const { todo } = findingRecords.paid_twice
  expect(tell('paid_twice', facts, UTC, { reference: 'salary-1b' })).toEqual({
    code: 'paid_twice',
    level: 'error',
    reference: 'salary-1b',
    text: expect.stringMatching(
      /^The payout of KES 1,000\.00 to 254712345678 \(salary-1b\) was paid\. So was payment /,
    ),
    todo,
  })
  expect(tell('paid_twice', facts, UTC, {}, true).level).toBe('warning')
})

const bench = useBench()
const API = '/api/sandbox/v1'
const till = { businessNumber: '123456', remarks: 'Rent', occasion: 'May', amount: 100, referenceId: 'may-1' }

/** An app that pays in a world, and its books. It does what a finding says where it is mended. */
type App = (world: TestWorld, isMended: boolean) => Promise<(Line & { fee?: number; refundDue?: number })[]>

const paid =
  (change: (isMended: boolean) => object): App =>
  async (world, isMended) => {
    await ask(world, 'till', 'paid', 'may-1')
    await world.advance('1m')
    return [{ reference: 'may-1', amount: 100, status: 'SUCCESS', ...change(isMended) }]
  }

const pending =
  (told: (isMended: boolean) => Line[]): App =>
  async (world, isMended) => {
    await ask(world, 'till', 'pending', 'may-1')
    await world.advance('1m')
    return told(isMended)
  }

const receiving =
  (answers: number): App =>
  async (world, isMended) => {
    bench.receiver.answer = isMended ? 200 : answers
    await world.post(`${API}/till`, { ...till, callbackUrl: bench.receiver.url() })
    await world.advance('3d')
    return trueBooks(world)
  }

const listed = async (world: TestWorld, list: string): Promise<{ uuid: string; amount: number; status: string }[]> =>
  (await world.get(`${API}${list}`)).body.data

const firstTill = (world: TestWorld, then: object) => {
  const rule = { name: 'first', on: 'till', nth: 1, then: { after: '2s', end: 'SUCCESS', ...then } }
  return world.control('PUT', '/scenario', { name: 'first', description: 'd', extends: 'default', rules: [rule] })
}

/** For each finding that no merchant of the corpus shows by itself. */
const apps: { readonly [Code in FindingCode]?: App } = {
  pending_unknown: pending((isMended) => (isMended ? [{ reference: 'may-1', amount: 103, status: 'PENDING' }] : [])),
  given_up: pending((isMended) => [{ reference: 'may-1', amount: 103, status: isMended ? 'PENDING' : 'FAILED' }]),
  never_asked: paid((isMended) => ({ reference: isMended ? 'may-1' : 'salary-may' })),
  never_made: async (world, isMended) => {
    await world.post(`${API}/till`, { ...till, amount: -5 })
    return [{ reference: 'may-1', amount: 100, status: isMended ? 'FAILED' : 'SUCCESS' }]
  },
  wrong_kind: paid((isMended) => ({ kind: isMended ? 'till' : 'paybill' })),
  wrong_currency: paid((isMended) => ({ currency: isMended ? 'KSH' : 'TZS' })),
  wrong_fee: async (world, isMended) => {
    await world.control('PUT', '/scenario', { name: 'fees', description: 'd', extends: 'fees-come-on-top' })
    await ask(world, 'bank-payout', 'paid', 'may-1')
    await world.advance('1m')
    const [{ transaction_fee: fee }] = (await world.get(`${API}/bank/payout/all`)).body.data
    return [{ reference: 'may-1', amount: 100, status: 'SUCCESS', fee: isMended ? fee : 30 }]
  },
  unmatched_line: async (world, isMended) => {
    for (const reference of ['may-1', 'may-2']) await ask(world, 'till', 'paid', reference)
    await world.advance('1m')
    const line = { amount: 100, status: 'SUCCESS' }
    return [
      { reference: 'may-1', ...line },
      { ...(isMended && { reference: 'may-2' }), ...line },
    ]
  },
  asked_again_under_way: async (world, isMended) => {
    await ask(world, 'stk', 'paid', 'order-1')
    const isOver = async () => (await listed(world, '/stk/all')).every(({ status }) => status !== 'PENDING')
    if (!isMended || (await isOver())) await ask(world, 'stk', 'paid', 'order-1')
    await world.advance('1m')
    return trueBooks(world)
  },
  asked_again_after_unknown_answer: async (world, isMended) => {
    await firstTill(world, { answer: { status: 503, code: 'SERVICE_UNAVAILABLE' } })
    const pay = (referenceId: string) =>
      world.post(`${API}/till`, { ...till, referenceId, callbackUrl: bench.receiver.url() })
    await pay('may-1')
    const first =
      isMended &&
      (await listed(world, `/till/all?companyId=${world.credentials.companyId}`)).find(({ amount }) => amount === 100)
    const requestId = first ? first.uuid : (await pay('may-2')).body.data.requestId
    await world.advance('1m')
    return [{ reference: first ? 'may-1' : 'may-2', requestId, amount: 100, status: 'SUCCESS' }]
  },
  executed_twice: async (world, isMended) => {
    await firstTill(world, { twice: true })
    const { body } = await world.post(`${API}/till`, { ...till, callbackUrl: bench.receiver.url() })
    await world.advance('25h')
    world.logout()
    const all = await listed(world, `/till/all?companyId=${world.credentials.companyId}`)
    return all
      .filter(({ uuid }) => isMended || uuid === body.data.requestId)
      .map(({ uuid, amount, status }) => ({ requestId: uuid, amount, status }))
  },
  unasked_unknown: async (world, isMended) => {
    await world.control('POST', '/collections/stk', { phoneNumber: '254712345678', amount: 250 })
    await world.advance('1m')
    return isMended
      ? (await listed(world, '/stk/all')).map(({ uuid, amount, status }) => ({ requestId: uuid, amount, status }))
      : []
  },
  callback_unacknowledged: receiving(404),
  callback_server_error: receiving(503),
  callback_slow: async (world, isMended) => {
    const forwarder = { name: 'slow', forwardTo: 'http://localhost:3000', lease: '1m' }
    const { id } = await world.control('POST', '/forwarders', forwarder)
    const deliveries = await EventReader.open(`${world.baseUrl}/_mfano/forwarders/${id}/deliveries`)
    await ask(world, 'till', 'paid', 'may-1')
    const advanced = world.advance('5s')
    const delivery = (await deliveries.next())?.data.delivery
    await world.control('POST', `/forwarders/${id}/answers`, { delivery, status: 200, tookMs: isMended ? 40 : 7000 })
    await advanced
    return trueBooks(world)
  },
  token_for_every_call: async (world, isMended) => {
    for (let i = 0; i < 6; i++) {
      if (!isMended) world.logout()
      await listed(world, '/stk/all')
    }
    return []
  },
  secret_misplaced: async (world, isMended) => {
    await listed(world, `/stk/all${isMended ? '' : '?apiSecret=hidden'}`)
    return []
  },
  polled_too_fast: async (world, isMended) => {
    for (let i = 0; i < 12; i++) {
      for (let times = isMended ? 1 : 3; times > 0; times--) await listed(world, '/stk/all')
      if (isMended) await world.advance(`${2 ** i}s`)
    }
    return []
  },
}

/** What is said of them in figures. */
const said: { readonly [Code in FindingCode]?: string } = {
  callback_slow: 'answered after 7000 ms',
  token_for_every_call: 'Your app fetched 6 tokens for 6 calls. 5 of them',
}

it('is shown by a merchant of the corpus, or by an app of these tests', () => {
  const shown = [...cases.flatMap(({ shows }) => shows), ...Object.keys(apps)]
  expect(Object.keys(findingRecords).filter((code) => !shown.includes(code))).toEqual([])
})

it.each(Object.entries(apps))('%s is found no more where an app does what it says', async (code, app) => {
  const codesOf = async (isMended: boolean) => {
    const world = await fatedWorld(bench)
    const { findings, warnings } = await world.control('POST', '/reconcile', await app(world, isMended))
    for (const { text } of [...findings, ...warnings]) expectWhole(text)
    return { findings: findings.map(codeOf), warnings: warnings.map(codeOf), all: JSON.stringify([findings, warnings]) }
  }
  const codeOf = (one: { code: string }) => one.code
  const buggy = await codesOf(false)
  expect([...buggy.findings, ...buggy.warnings]).toContain(code)
  expect(buggy.all).toContain(said[code as FindingCode] ?? '')
  const mended = await codesOf(true)
  expect(mended.findings).toEqual([])
  expect(mended.warnings).not.toContain(code)
})
