/** What tests of assumptions send, and how they read what comes back. */

import { expect } from 'vitest'
import { bodies } from '../../support/bodies.ts'
import type { Answer, TestWorld } from '../../support/harness.ts'

/** The status of an answer, and the code of the error that it holds. */
export function verdict({ status, body }: Answer): string {
  const code = body?.error?.code ?? body?.errorCode ?? (body?.errors && Object.values(body.errors).flat().join())
  return code === undefined ? String(status) : `${status} ${code}`
}

const API = '/api/sandbox/v1'

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
