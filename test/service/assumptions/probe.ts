import { expect, it } from 'vitest'
import { controlOf } from '../../../src/client/control.ts'
import { evidenceOf, isTouched } from '../../../src/judge/matrix/evidence.ts'
import { type AssumptionId, assumptions } from '../../../src/service/assumed/assumptions.ts'
import { type Alarms, alarms } from '../../support/alarms.ts'
import { assuming } from '../../support/contract.ts'
import { type Answer, type Bench, type TestWorld, useBench } from '../../support/harness.ts'

/** What a probe works with: a world of its own under one alternative. */
export interface Stage extends Pick<Bench, 'receiver' | 'pay'> {
  world: TestWorld
  /** Real time, which only the probe moves. */
  time: Alarms
}

/** Makes real requests, and gives what an assumption shows in: another value under every alternative. */
export type Probe = (stage: Stage) => Promise<unknown>

/** The other choices that a probe needs to see anything. */
export type Probed = Probe | { given?: Partial<Record<AssumptionId, string>>; scenario?: object; probe: Probe }

export type Probes = { readonly [Id in AssumptionId]?: Probed }

/** Tests that each of some assumptions shows, alternative by alternative. */
export function testProbes(probes: Probes): void {
  const time = alarms()
  const bench = useBench({ time })
  it.each(Object.entries(probes))('%s shows', async (id, probed) => {
    const { given = {}, scenario = {}, probe } = typeof probed === 'function' ? { probe: probed } : probed
    const seen = new Map<string, string>()
    for (const alternative of assumptions[id as AssumptionId].alternatives) {
      const world = await bench.world({
        scenario: { ...assuming({ ...given, [id]: alternative }).scenario, ...scenario },
      })
      bench.receiver.received.length = 0
      const shown = JSON.stringify(await probe({ world, receiver: bench.receiver, pay: bench.pay, time }))
      expect(seen.get(shown), `${id}: ${alternative} shows as ${shown}`).toBeUndefined()
      seen.set(shown, alternative)
      // A suite of these requests is not to be told that nothing of it can show the choice.
      const { used } = await evidenceOf(controlOf(world.baseUrl))
      const { touches } = assumptions[id as AssumptionId]
      expect(isTouched(id, touches, used), `${id}: what the probe used, under ${alternative}`).toBe(true)
    }
  })
}

/** The status of an answer, and the code of the error that it holds. */
export function verdict({ status, body }: Answer): string {
  const code = body?.error?.code ?? body?.errorCode ?? (body?.errors && Object.values(body.errors).flat().join())
  return code === undefined ? String(status) : `${status} ${code}`
}

const API = '/api/sandbox/v1'

/** Bodies that the service takes, with a receiver for their callbacks. */
export const bodies = {
  sendMoney: (callbackUrl: string) => ({
    phoneNumber: '254712345678',
    amount: 100,
    remarks: 'Salary',
    occasion: 'January',
    callbackUrl,
  }),
  till: (callbackUrl: string) => ({
    businessNumber: '123456',
    amount: 100,
    remarks: 'Stock',
    occasion: 'Monday',
    callbackUrl,
  }),
  checkout: (callbackUrl: string) => ({
    amount: 1500,
    currency: 'KES',
    description: 'Order 1',
    successUrl: 'https://merchant.example/paid',
    cancelUrl: 'https://merchant.example/cancelled',
    paymentMethods: ['CARD', 'MPESA_STK'],
    callbackUrl,
  }),
  subAccount: () => ({
    name: 'Westlands',
    email: 'westlands@merchant.example',
    phone: '254700000100',
    user: {
      userType: 'API_USER',
      firstName: 'Jane',
      lastName: 'Mwangi',
      username: 'jane.mwangi',
      password: 'a-long-first-password',
      roles: ['ADMIN'],
      email: 'jane.mwangi@merchant.example',
    },
  }),
}

/** What becomes of a request that differs from one that the service takes. */
export function asking(path: string, changed: (stage: Stage) => object, base?: keyof typeof bodies): Probe {
  return async (stage) => {
    const body = { ...(base && bodies[base](stage.receiver.url())), ...changed(stage) }
    return verdict(await stage.world.post(`${API}${path}`, body))
  }
}

/** A scenario in which every payment of a kind goes the same way. */
export const everyOne = (kind: string, then: object) => ({ rules: [{ name: 'every one', on: kind, then }] })

/** Pays a till; gives the id of the payment. */
export async function payTill(world: TestWorld, callbackUrl: string): Promise<string> {
  const answer = await world.post(`${API}/till`, bodies.till(callbackUrl))
  expect(answer.status, answer.text).toBe(201)
  return answer.body.data.requestId
}

/** The data of a read. */
// biome-ignore lint/suspicious/noExplicitAny: what a server answers is for the probe to judge
export async function read(world: TestWorld, path: string): Promise<any> {
  const answer = await world.get(`${API}${path}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data
}

/** A sub-account with a token of its own. */
export async function subAccountOf(world: TestWorld, user: object = {}) {
  const body = bodies.subAccount()
  const answer = await world.post(`${API}/multiaccount/new/organisation`, { ...body, user: { ...body.user, ...user } })
  if (answer.status !== 201) return { answer, uuid: '', token: '' }
  const { uuid } = answer.body.data
  return { answer, uuid, token: await world.login(await world.control('POST', `/organisations/${uuid}/credentials`)) }
}
