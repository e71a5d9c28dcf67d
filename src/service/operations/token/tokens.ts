/**
 * Bearer tokens: JWTs signed with the world's own key, which expire in world time. Lifetimes are assumed, with a specified
 * default; claims are assumed.
 */
import type { Organisation } from '../../../core/model/payment.ts'
import { commonReasons, published, refused } from '../../../core/model/refusal-reasons.ts'
import { type InstantUs, momentText, SECOND_US } from '../../../core/model/time.ts'
import type { View } from '../../../core/model/view.ts'
import type { World } from '../../../core/world.ts'
import { chosen, reason } from '../../assumed/assumptions.ts'

const { tokensRevoked } = commonReasons
const tokenForeign = reason('token', 'AUTH_INVALID_TOKEN', 'this service did not issue the token', published)
const tokenOfOtherType = reason(
  'token',
  'AUTH_INVALID_TOKEN',
  'the refresh token came as a bearer token',
  'convention: the refresh token as a bearer token',
)
const tokenExpired = reason('age', 'AUTH_INVALID_TOKEN', 'the token has expired', published)
const tokenReplaced = reason('age', 'AUTH_INVALID_TOKEN', 'a newer token was issued', 'old-tokens', 'revoked')
const tokenHolderGone = reason('age', 'AUTH_INVALID_TOKEN', 'the organisation of the token is gone', 'own')

/** All that is refused of a token, when it is read or used. */
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

/** Seconds. */
export function lifeS(view: Pick<View, 'scenario'>, typ: Claims['typ']): number {
  const accessS = Number(chosen(view)['token-life'])
  return typ === 'access' ? accessS : accessS * REFRESH_LIVES
}

export interface Claims {
  sub: string
  typ: 'access' | 'refresh'
  number: number
  /** Seconds, as JWTs count, rounded down: it is taken until its `exp`, and for the rest of a second after it. */
  iat: number
  exp: number
  /** Microseconds within the second of issue, because JWTs count seconds. */
  us: number
}

export function claimsOf({ core }: World, typ: Claims['typ'], sub: string, number: number, atUs: InstantUs): Claims {
  const iat = Math.floor(atUs / SECOND_US)
  return { sub, typ, number, iat, exp: iat + lifeS(core, typ), us: atUs - iat * SECOND_US }
}

export function issuedAtUs({ iat, us }: Claims): InstantUs {
  return iat * SECOND_US + us
}

// Loaded with the first token, so that it does not slow the start.
const jose = () => import('jose')

const ALGORITHM = 'HS256'

export async function signTokens(world: World, organisationUuid: string, number: number, atUs: InstantUs) {
  const { SignJWT } = await jose()
  const sign = async (typ: Claims['typ']) => {
    const claims = claimsOf(world, typ, organisationUuid, number, atUs)
    const token = await new SignJWT({ ...claims })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .sign(world.tokenKey)
    remember(world, token, claims)
    return token
  }
  const [accessToken, refreshToken] = await Promise.all([sign('access'), sign('refresh')])
  return { accessToken, refreshToken }
}

/** Signatures that were made or verified, kept because they cannot change. The age is checked every time. */
interface Verified {
  claims: Map<string, Claims>
  /** Compared first, because most callers use one token many times. */
  last: { token: string; claims: Claims } | undefined
}

const verified = new WeakMap<World, Verified>()
const REMEMBERED_MAX = 10_000

/** Without waiting when it was verified lately. AUTH_INVALID_TOKEN for any other text or type of token. */
export function readToken(world: World, token: string, type: Claims['typ']): Claims | Promise<Claims> {
  const known = knownClaims(verified.get(world), token)
  return known ? requireType(known, type) : verify(world, token).then((claims) => requireType(claims, type))
}

function knownClaims(known: Verified | undefined, token: string): Claims | undefined {
  if (known?.last?.token === token) return known.last.claims
  const claims = known?.claims.get(token)
  if (known && claims) known.last = { token, claims }
  return claims
}

function requireType(claims: Claims, type: Claims['typ']): Claims {
  if (claims.typ === type) return claims
  throw refused(tokenOfOtherType, `expected the ${type} token, got the ${claims.typ} token`)
}

async function verify(world: World, token: string): Promise<Claims> {
  try {
    // The age is checked below, with the world's clock and words.
    const { jwtVerify } = await jose()
    const { payload: claims } = await jwtVerify<Claims>(token, world.tokenKey, {
      algorithms: [ALGORITHM],
      currentDate: new Date(0),
    })
    remember(world, token, claims)
    return claims
  } catch {
    throw refused(
      tokenForeign,
      'the token is not one that this service issued',
      'Authorization must hold a token that this service issued',
    )
  }
}

/** Throws AUTH_INVALID_TOKEN when the token has expired in world time, or a newer one replaces it under an assumption. */
export function holderOf({ core }: World, claims: Claims): Organisation {
  const organisation = core.store.organisations.byUuid(claims.sub)
  if (!organisation) throw refused(tokenHolderGone, 'the organisation of this token does not exist in this world')
  const livedS = claims.exp - claims.iat
  const expiredAtUs = issuedAtUs(claims) + livedS * SECOND_US
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
  const known = verified.get(world)?.claims
  if (!known) verified.set(world, { claims: new Map([[token, claims]]), last: undefined })
  else {
    if (known.size >= REMEMBERED_MAX) known.clear()
    known.set(token, claims)
  }
}
