import sha256 from 'fast-sha256'
import * as z from 'zod'
import type { View } from '../../core/model/kind.ts'
import type { Organisation } from '../../core/model/payment.ts'
import { commonReasons, refused } from '../../core/model/refusal.ts'
import { sha256Hex } from '../../core/model/text.ts'
import { type InstantUs, momentText, SECOND_US } from '../../core/model/time.ts'
import { perform } from '../../core/perform.ts'
import type { World } from '../../core/world.ts'
import { type Answer, type Credential, operation, type RefusalContext } from '../../http/operation.ts'
import { chosen, reason } from '../assumptions/assumptions.ts'
import { closedObject, constant, schemaField, UNMARKED } from '../fields.ts'
import { request } from '../requests/request.ts'

const credentialsWrong = reason(
  'caller',
  'AUTH_INVALID_TOKEN',
  'apiKey is unknown, or apiSecret is not that of the key',
  'bad-credentials',
  { AUTH_INVALID_TOKEN: {}, AUTH_FORBIDDEN: { code: 'AUTH_FORBIDDEN' } },
)

function organisationOfKeys(
  { core, refuse }: RefusalContext<typeof credentialsWrong>,
  apiKey: string,
  secretSha256: string,
): number {
  const credential = core.store.organisations.credential(apiKey)
  if (credential?.secretSha256 === secretSha256) return credential.organisationId
  throw refuse(
    credentialsWrong,
    'apiKey and apiSecret: must be a pair that this service issued',
    'apiKey and apiSecret must be a pair that this service issued',
  )
}

// Bearer tokens: JWTs signed with the world's own key, which expire in world time. Lifetimes are assumed, with a
// specified default; claims are assumed.

const { tokensRevoked } = commonReasons
const tokenForeign = reason('token', 'AUTH_INVALID_TOKEN', 'this service did not issue the token')
const tokenOfOtherType = reason(
  'token',
  'AUTH_INVALID_TOKEN',
  'the refresh token came as a bearer token',
  'convention: the refresh token as a bearer token',
)
const tokenExpired = reason('age', 'AUTH_INVALID_TOKEN', 'the token has expired')
const tokenReplaced = reason('age', 'AUTH_INVALID_TOKEN', 'a newer token was issued', 'old-tokens', 'revoked')
const tokenHolderGone = reason('age', 'AUTH_INVALID_TOKEN', 'the organisation of the token is gone', 'own')

export const tokenReasons = [
  tokenForeign,
  tokenOfOtherType,
  tokenExpired,
  tokensRevoked,
  tokenReplaced,
  tokenHolderGone,
]

/** A refresh token outlives its access token six times: 1800 s and 300 s (specified). */
const REFRESH_LIVES = 6

function lifeS(view: View, typ: Claims['typ']): number {
  const accessS = Number(chosen(view)['token-life'])
  return typ === 'access' ? accessS : accessS * REFRESH_LIVES
}

interface Claims {
  sub: string
  typ: 'access' | 'refresh'
  number: number
  /** Seconds, as JWTs count, rounded down: it is taken until its `exp`, and for the rest of a second after it. */
  iat: number
  exp: number
  /** Microseconds within the second of issue, because JWTs count seconds. */
  us: number
}

function claimsOf({ core }: World, typ: Claims['typ'], sub: string, number: number, atUs: InstantUs): Claims {
  const iat = Math.floor(atUs / SECOND_US)
  return { sub, typ, number, iat, exp: iat + lifeS(core, typ), us: atUs - iat * SECOND_US }
}

const HEADER = base64Url(JSON.stringify({ alg: 'HS256', typ: 'JWT' }))

/** Our own tokens need no more of the standard than this, and no library signs at once: `decisions/0001-libraries.md`. */
function sign(world: World, claims: Claims): string {
  const token = signed(world, base64Url(JSON.stringify(claims)))
  remember(world, token, claims)
  return token
}

function signed({ tokenKey }: World, content: string): string {
  const text = `${HEADER}.${content}`
  return `${text}.${base64Url(String.fromCharCode(...sha256.hmac(tokenKey, new TextEncoder().encode(text))))}`
}

function base64Url(binary: string): string {
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}

/** Signatures that were made or verified, kept because they cannot change. The age is checked every time. */
const verified = new WeakMap<World, Map<string, Claims>>()
const REMEMBERED_MAX = 10_000

/** Throws AUTH_INVALID_TOKEN for any other text or type of token. */
export function readCredential(world: World, token: string): Credential {
  const claims = readToken(world, token, 'access')
  return { issuedAtUs: claims.iat * SECOND_US + claims.us, holder: () => holderOf(world, claims) }
}

export function issueToken(world: World, { id, uuid }: Organisation, atUs: InstantUs): string {
  const { number } = perform(world.core, { command: 'issue-token', organisationId: id })
  return sign(world, claimsOf(world, 'access', uuid, number, atUs))
}

function readToken(world: World, token: string, type: Claims['typ']): Claims {
  const claims = verified.get(world)?.get(token) ?? verify(world, token)
  if (claims.typ === type) return claims
  throw refused(tokenOfOtherType, `expected the ${type} token, got the ${claims.typ} token`)
}

/** Compared whole, so that nothing can stand behind a signature. The age is checked with every use. */
function verify(world: World, token: string): Claims {
  const content = token.split('.')[1] ?? ''
  if (token !== signed(world, content))
    throw refused(
      tokenForeign,
      'the token is not one that this service issued',
      'Authorization must hold a token that this service issued',
    )
  const claims: Claims = JSON.parse(atob(content.replaceAll('-', '+').replaceAll('_', '/')))
  remember(world, token, claims)
  return claims
}

/** Throws AUTH_INVALID_TOKEN when the token has expired in world time, or a newer one replaces it under an assumption. */
function holderOf({ core }: World, claims: Claims): Organisation {
  const organisation = core.store.organisations.byUuid(claims.sub)
  if (!organisation) throw refused(tokenHolderGone, 'the organisation of this token does not exist in this world')
  const livedS = claims.exp - claims.iat
  const expiredAtUs = claims.exp * SECOND_US + claims.us
  if (core.clock.now() >= expiredAtUs) {
    throw refused(tokenExpired, `the token expired at ${momentText(expiredAtUs)}, ${livedS} s after it was issued`)
  }
  if (claims.number <= core.store.counters.current(`revoked:${organisation.id}`))
    throw refused(tokensRevoked, 'the token was revoked; get a new one')
  if (
    chosen(core)['old-tokens'] === 'revoked' &&
    claims.number < core.store.counters.current(`token:${organisation.id}`)
  ) {
    throw refused(tokenReplaced, 'a newer token was issued, which revoked this one')
  }
  return organisation
}

function remember(world: World, token: string, claims: Claims): void {
  const known = verified.get(world)
  if (known && known.size < REMEMBERED_MAX) known.set(token, claims)
  else verified.set(world, new Map([[token, claims]]))
}

const tokenAnswer = closedObject(() => ({
  status: schemaField('specified', 'Status code and reason as text (published: `200 OK`).', z.literal('200 OK'), {
    const: 'published',
  }),
  data: closedObject(() => ({
    access_token: constant(
      schemaField('specified', 'Bearer token, a JWT (published).', z.string()),
      'eyJ…',
      'published',
    ),
    refresh_token: constant(schemaField('specified', 'No published call uses it.', z.string()), 'eyJ…', 'published'),
    expires_in: schemaField('specified', 'Seconds. Default: 300 (assumption token-life).', z.int()),
    refresh_expires_in: schemaField('specified', 'Seconds. Default: 1800.', z.int()),
  })).meta({ id: 'TokenData', 'x-basis': 'specified' }),
})).meta({ id: 'TokenAnswer', 'x-basis': 'specified' })

function issued({ id, uuid }: { id: number; uuid: string }, world: World): Answer {
  const { core } = world
  const { number } = perform(core, { command: 'issue-token', organisationId: id })
  const nowUs = core.clock.now()
  const data = {
    access_token: sign(world, claimsOf(world, 'access', uuid, number, nowUs)),
    refresh_token: sign(world, claimsOf(world, 'refresh', uuid, number, nowUs)),
    expires_in: lifeS(core, 'access'),
    refresh_expires_in: lifeS(core, 'refresh'),
  }
  return { status: 200, body: { status: '200 OK', data } }
}

const getToken = operation({
  id: 'getToken',
  method: 'post',
  path: '/api/v1/get-token',
  tag: 'Tokens',
  summary: 'Exchange an API key and secret for an access token',
  description:
    'The same calls in a world of the same id and seed give the same token. It is valid in no other world. It stays valid after a reset, and in a world of that id and seed at another mfano, until it expires in simulated time.',
  source: 'specification, Token; published token',
  auth: 'none',
  body: request({
    id: 'TokenRequest',
    basis: 'specified',
    fields: ({ text }) => ({
      apiKey: text('specified', 'The API key.', { max: 200, required: UNMARKED }),
      apiSecret: text('specified', 'Its secret.', { max: 200, required: UNMARKED }),
    }),
  }),
  answer: { status: 200, description: 'A token pair', schema: tokenAnswer },
  example: () => ({ apiKey: 'mfano-key', apiSecret: 'mfano-secret' }),
  // Hashed before the commit, because that is asynchronous.
  prepare: ({ apiSecret }) => sha256Hex(apiSecret),
  refuses: [credentialsWrong],
  handle: (call) =>
    issued(
      call.core.store.organisations.byId(organisationOfKeys(call, call.body.apiKey, call.prepared as string)),
      call.world,
    ),
})

const refresh = operation({
  id: 'refreshToken',
  method: 'post',
  path: '/api/v1/refresh-token',
  tag: 'Tokens',
  summary: 'Exchange a refresh token for a new pair',
  description: 'No source shows this call: it exists only while the assumption refresh-token is on.',
  source: 'assumption refresh-token',
  auth: 'none',
  only: { assumption: 'refresh-token', is: 'on' },
  body: request({
    id: 'RefreshRequest',
    basis: 'assumed',
    fields: ({ text }) => ({
      refreshToken: text('assumed', 'From an earlier answer.', { max: 4000, required: 'refresh-token' }),
    }),
  }),
  answer: { status: 200, description: 'A token pair', schema: tokenAnswer },
  example: () => ({ refreshToken: '<refresh_token of an earlier answer>' }),
  refuses: tokenReasons,
  handle: ({ world, prepared }) => issued(holderOf(world, prepared as Claims), world),
  prepare: ({ refreshToken }, world) => readToken(world, refreshToken, 'refresh'),
})

export const tokenOperations = [getToken, refresh]
