/** What a suite's own traffic tells, with nothing sent for it. */

import { expect, it } from 'vitest'
import { fromTraffic } from '../../../src/judge/calibrate.ts'
import type { HarRecord } from '../../../src/judge/traffic/read-traffic.ts'
import { probes } from '../../../src/service/probes.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { bodies } from '../../support/bodies.ts'
import { assuming } from '../../support/contract.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'
import { Pasts } from './account.ts'
import { drawn } from './trials.ts'

const bench = useBench()
const API = '/api/sandbox/v1'
const TRIALS = 12

const limited = { name: 'one a minute', on: 'listSubAccounts', then: { rateLimit: { max: 1, per: '1m' } } }
/** What single answers never tell: that there is nothing more, nor that nothing is left off in any of a few payouts. */
const unseen: Readonly<Record<string, string>> = {
  'extra-fields': 'none',
  'failure-codes': 'silent',
  'timestamp-form': 'six-digits',
  'tz-status-word': 'PENDING',
}

/** What a suite asks on an ordinary day, and what a proxy in front of the service writes down of it. */
async function trafficOf(world: TestWorld): Promise<HarRecord[]> {
  const recorded: HarRecord[] = []
  const { apiKey, apiSecret, companyId } = world.credentials
  let token = ''
  const ask = async (method: string, path: string, body?: object, more: Record<string, string> = {}) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more }
    const answer = await fetch(world.baseUrl + path, {
      method,
      headers,
      redirect: 'manual',
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    recorded.push({
      number: 1,
      tookMs: 0,
      atMs: 1_764_057_600_000 + recorded.length,
      method,
      origin: new URL(world.baseUrl).origin,
      path: URL.parse(world.baseUrl + path)?.pathname + (path.includes('?') ? `?${path.split('?')[1]}` : ''),
      headers,
      body: body ? JSON.stringify(body) : '',
      status: answer.status,
      mediaType: 'application/json',
      answer: text,
      told: Object.fromEntries(answer.headers),
      unrecorded: new Set(),
    })
    return text
  }
  await ask('POST', '/api/v1/get-token', { apiKey, apiSecret: 'wrong' })
  token = JSON.parse(await ask('POST', '/api/v1/get-token', { apiKey, apiSecret })).data.access_token
  const till = { ...bodies.till('https://merchant.example/till'), amount: 20 }
  const made = JSON.parse(await ask('POST', `${API}/till`, till))
  await ask('POST', `${API}/till`, { ...till, amount: -1 })
  await ask('GET', `${API}/till/status?requestId=${made.data?.requestId}&companyId=${companyId}`)
  const lists = ['till', 'send-money'].map((kind) => `${kind}/all?companyId=${companyId}`)
  const others = ['paybill/all', 'stk/all', 'bank/payout/all', 'bank/collection/all', 'allocations/sub/org/all']
  for (const list of [...lists, ...others, 'multiaccount/wallet/total/breakdown']) await ask('GET', `${API}/${list}`)
  const session = { amount: 1500, currency: 'KES', description: 'Order 1', paymentMethods: ['CARD'] }
  const back = { successUrl: 'https://merchant.example/paid', cancelUrl: 'https://merchant.example/cancelled' }
  await ask('POST', `${API}/checkout-sessions`, { ...session, ...back })
  await ask('POST', `${API}/checkout-sessions`, session)
  const device = { 'device-id': 'till-1' }
  await ask('GET', '/api/v1/tz/spending/single?requestId=00000000-0000-4000-8000-0000000000ff', undefined, device)
  const asha = { firstName: 'Asha', lastName: 'Mushi', serviceCode: 'TZ-TIGO-B2C', currencyCode: 'TZS' }
  const wages = {
    ...asha,
    phoneNumber: '255711000100',
    amount: 1000,
    narration: 'Wages',
    callbackUrl: till.callbackUrl,
  }
  const { data } = JSON.parse(await ask('POST', `${API}/send-money`, wages))
  await ask('GET', `/api/v1/tz/spending/single?requestId=${data?.requestId}`, undefined, device)
  await ask('GET', `${API}/paybill/all`, undefined, { origin: 'https://shop.example' })
  for (let n = 0; n < 2; n++) await ask('GET', `${API}/multiaccount/organisation/all`)
  return recorded
}

it('tells nothing wrong, and a dozen questions or more', async () => {
  const decided: number[] = []
  const pasts = new Pasts(bench)
  const seen = new Map<string, Set<string>>()
  for (let seed = 1; seed <= TRIALS; seed++) {
    const hidden = drawn(seed)
    const past = await pasts.of(hidden, seed % 2 === 0)
    const world = await bench.world({ id: `suite-${seed}`, from: past.id })
    await world.control('PUT', '/scenario', { ...assuming(hidden).scenario, faults: [limited] })
    const answers = fromTraffic(await trafficOf(world), paymentsService.assumptions)
    const wrong = answers.filter(
      ({ assumption, verdict, alternative }) =>
        verdict === 'unstable' || (verdict === 'holds' && alternative !== hidden[assumption]),
    )
    expect(wrong.map(({ assumption, alternative, why }) => [assumption, hidden[assumption], alternative, why])).toEqual(
      [],
    )
    for (const { assumption, alternative } of answers)
      if (alternative !== null) seen.set(assumption, (seen.get(assumption) ?? new Set()).add(alternative))
    decided.push(answers.filter(({ verdict }) => verdict === 'holds').length)
  }
  const seeing = Object.entries(paymentsService.assumptions).filter(([id]) => probes[id as keyof typeof probes].sees)
  for (const [id, { alternatives }] of seeing)
    expect([...(seen.get(id) ?? [])].sort(), id).toEqual(alternatives.filter((one) => one !== unseen[id]).sort())
  expect(Math.min(...decided), decided.join()).toBeGreaterThanOrEqual(12)
}, 120_000)
