import { type Probes, subAccountOf, verdict } from './probe.ts'

const API = '/api/sandbox/v1'

/** The parts of a token that anybody can read. */
const parts = (token: string) =>
  token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))

export const tokenProbes = {
  'token-algorithm': async ({ world }) => [
    parts(await world.token())[0].alg,
    (await world.get(`${API}/paybill/all`)).status,
  ],
  'token-claims': async ({ world }) => Object.keys(parts(await world.token())[1]),
  'user-login': {
    given: { 'user-words': 'any' },
    probe: async ({ world }) => {
      const password = 'a-long-first-password'
      await subAccountOf(world, { username: 'jane', password, roles: ['ADMIN'] })
      await subAccountOf(world, { username: 'omar', password, roles: ['CLERK'] })
      const login = async (apiKey: string, apiSecret: string) =>
        verdict(await world.raw('POST', '/api/v1/get-token', { body: { apiKey, apiSecret } }))
      return [await login('jane', password), await login('omar', password), await login('jane', 'another')]
    },
  },
  'refresh-as-bearer': async ({ world }) => {
    const { apiKey, apiSecret } = world.credentials
    const { body } = await world.raw('POST', '/api/v1/get-token', { body: { apiKey, apiSecret } })
    return verdict(await world.get(`${API}/paybill/all`, { token: body.data.refresh_token }))
  },
  'bad-credentials': async ({ world }) =>
    verdict(await world.raw('POST', '/api/v1/get-token', { body: { apiKey: 'none', apiSecret: 'none' } })),
  'refresh-token': async ({ world }) => {
    const { apiKey, apiSecret } = world.credentials
    const { body } = await world.raw('POST', '/api/v1/get-token', { body: { apiKey, apiSecret } })
    const refreshToken = body.data.refresh_token
    return (await world.raw('POST', '/api/v1/refresh-token', { body: { refreshToken } })).status
  },
  'old-tokens': async ({ world }) => {
    const token = await world.token()
    await world.login(world.credentials)
    return verdict(await world.get(`${API}/paybill/all`, { token }))
  },
  'subscription-required': async ({ world }) => verdict(await world.get(`${API}/multiaccount/organisation/all`)),
  'sub-account-callers': async ({ world }) => {
    const { token } = await subAccountOf(world)
    return verdict(await world.get(`${API}/multiaccount/organisation/all`, { token }))
  },
  'user-words': async ({ world }) => {
    const made = await subAccountOf(world, { userType: 'CLERK' })
    return verdict(made.answer)
  },
  'unlisted-operations': async ({ world }) => (await world.post(`${API}/org/wallet-details`, undefined)).status,
} as const satisfies Probes
