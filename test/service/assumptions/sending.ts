/** What tests of assumptions send, and how they read what comes back. */
import { expect } from 'vitest'
import type { Answer, TestWorld } from '../../support/harness.ts'
import { payoutTo } from '../../support/payout.ts'

/** The status of an answer, and the code of the error that it holds. */
export function verdict({ status, body }: Answer): string {
  const code = body?.error?.code ?? body?.errorCode ?? (body?.errors && Object.values(body.errors).flat().join())
  return code === undefined ? String(status) : `${status} ${code}`
}

const API = '/api/sandbox/v1'

/** Bodies that the service takes, with a receiver for their callbacks. */
export const bodies = {
  sendMoney: (callbackUrl: string) => payoutTo(callbackUrl),
  till: (callbackUrl: string) => ({
    businessNumber: '123456',
    amount: 100,
    remarks: 'Stock',
    occasion: 'Monday',
    callbackUrl,
  }),
  bankPayout: (callbackUrl: string) => ({
    bankCode: '0068',
    beneficiaryName: 'Jane Wanjiku Mwangi',
    creditAccountNumber: '01100000000422',
    amount: 100,
    narration: 'Invoice',
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
