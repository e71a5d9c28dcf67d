/** Bearer tokens: signed JWTs with the world's own key, aged by the world's clock. Lives specified; claims assumed. */

import { Refusal } from '../model/refusal.ts'
import { formatInstant, SECOND_US } from '../model/time.ts'
import type { World } from '../world/world.ts'
import { chosen } from './assumptions.ts'

/** Seconds. Specified. */
export const ACCESS_LIFE_S = 300
/** Seconds. Specified. */
export const REFRESH_LIFE_S = 1800

export interface Claims {
  /** The organisation's uuid. */
  sub: string
  typ: 'access' | 'refresh'
  /** Which token of the organisation it is, from 1. */
  number: number
  iat: number
  exp: number
}

// Loaded with the first token, so that a start need not wait for it.
const jose = () => import('jose')

/** Signs the pair that get-token answers with. */
export async function signTokens(world: World, organisationUuid: string, number: number, atS: number) {
  const { SignJWT } = await jose()
  const sign = (typ: Claims['typ'], lifeS: number) =>
    new SignJWT({ typ, number })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
      .setSubject(organisationUuid)
      .setIssuedAt(atS)
      .setExpirationTime(atS + lifeS)
      .sign(world.tokenKey)
  const [accessToken, refreshToken] = await Promise.all([
    sign('access', ACCESS_LIFE_S),
    sign('refresh', REFRESH_LIFE_S),
  ])
  return { accessToken, refreshToken }
}

/** Tokens that were verified lately, by world. Their signature does not change; their age is checked every time. */
const verified = new WeakMap<World, Map<string, Claims>>()
const REMEMBERED_MAX = 10_000

/**
 * The claims of a token that this world signed, at once where it was verified lately; AUTH_INVALID_TOKEN for any other
 * text.
 */
export function readToken(world: World, token: string, typ: Claims['typ']): Claims | Promise<Claims> {
  const known = verified.get(world)?.get(token)
  return known ? requireType(known, typ) : verify(world, token).then((claims) => requireType(claims, typ))
}

function requireType(claims: Claims, typ: Claims['typ']): Claims {
  if (claims.typ === typ) return claims
  throw new Refusal('AUTH_INVALID_TOKEN', `expected the ${typ} token, got the ${claims.typ} token`)
}

async function verify(world: World, token: string): Promise<Claims> {
  try {
    // The age is judged below, on the world's clock and with the world's words.
    const { jwtVerify } = await jose()
    const { payload } = await jwtVerify(token, world.tokenKey, { algorithms: ['HS256'], currentDate: new Date(0) })
    const claims = payload as unknown as Claims
    const known = rememberedBy(world)
    if (known.size >= REMEMBERED_MAX) known.clear()
    known.set(token, claims)
    return claims
  } catch {
    throw new Refusal('AUTH_INVALID_TOKEN', 'the token is not one that this service issued', {
      fields: [{ field: 'Authorization', message: 'Authorization must hold a token that this service issued' }],
    })
  }
}

/** Throws AUTH_INVALID_TOKEN when a token is too old by the world's clock, or not the newest where only that one counts. */
export function requireFresh(world: World, claims: Claims, organisationId: number): void {
  const { core } = world
  if (core.clock.now() >= claims.exp * SECOND_US) {
    throw new Refusal(
      'AUTH_INVALID_TOKEN',
      `the token expired at ${formatInstant(claims.exp * SECOND_US).slice(0, 19)}, ${claims.exp - claims.iat} s after it was issued`,
    )
  }
  if (claims.number <= core.store.counters.current(`revoked:${organisationId}`))
    throw new Refusal('AUTH_INVALID_TOKEN', 'the token was revoked; get a new one')
  if (
    chosen(core)['old-tokens'] === 'revoked' &&
    claims.number < core.store.counters.current(`token:${organisationId}`)
  ) {
    throw new Refusal('AUTH_INVALID_TOKEN', 'a newer token was issued, which revoked this one')
  }
}

function rememberedBy(world: World): Map<string, Claims> {
  let known = verified.get(world)
  if (!known) {
    known = new Map()
    verified.set(world, known)
  }
  return known
}
