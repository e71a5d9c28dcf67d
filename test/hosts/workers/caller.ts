/** Requests to a world of a deployment, without a bench. */
import { expect } from 'vitest'
import { payoutTo } from '../../support/bodies.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a server answers is for the test to judge
type Any = any

/** Nobody listens there. */
export const NOWHERE = 'http://127.0.0.1:1/told'

/** A payout that is taken. */
export const PAYOUT = payoutTo(NOWHERE)

/** Speaks to one world. `token`: of before, in the place of a new one. */
export function callerOf(base: string, id: string, token?: string) {
  const baseUrl = `${base}/w/${id}`
  const ask = async (method: string, url: string, body?: object | string): Promise<{ status: number; body: Any }> => {
    const answer = await fetch(url, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: text === '' ? undefined : JSON.parse(text) }
  }
  const well = async (method: string, url: string, body?: object): Promise<Any> => {
    const answer = await ask(method, url, body)
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer.body
  }
  const login = async () => {
    const keys = { apiKey: 'mfano-key', apiSecret: 'mfano-secret' }
    token ??= (await well('POST', `${baseUrl}/api/v1/get-token`, keys)).data.access_token
  }
  return {
    baseUrl,
    token: () => token,
    make: (given: object = {}) => well('POST', `${base}/_mfano/worlds`, { id, ...given }),
    remove: () => ask('DELETE', `${base}/_mfano/worlds/${id}`),
    control: (method: string, path: string, body?: object) => well(method, `${baseUrl}/_mfano${path}`, body),
    /** To the service, whatever it says. */
    async post(path: string, body: object | string) {
      await login()
      return ask('POST', `${baseUrl}/api/sandbox/v1${path}`, body)
    },
    /** A payout; gives its id. */
    async pay(changes: object = {}): Promise<string> {
      await login()
      return (await well('POST', `${baseUrl}/api/sandbox/v1/send-money`, { ...PAYOUT, ...changes })).data.requestId
    },
  }
}
