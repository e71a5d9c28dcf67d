/** The service as the road of a request serves it. */
import { perform } from '../engine/perform.ts'
import type { Credential, HttpService, IssuedToken } from '../http/http-service.ts'
import type { Organisation } from '../model/payment.ts'
import { Refusal } from '../model/refusal.ts'
import { type InstantUs, SECOND_US } from '../model/time.ts'
import type { World } from '../world/world.ts'
import { contractOf } from './contract.ts'
import { errorBody, errorForm } from './error-body.ts'
import { operations } from './operations.ts'
import { ACCESS_LIFE_S, type Claims, readToken, requireFresh, signTokens } from './tokens.ts'

export const paymentsHttp: HttpService = {
  operations,
  keptHeaders: ['content-type', 'device-id', 'user-agent'],
  readToken: async (world, token) => credentialOf(world, await readToken(world, token, 'access')),
  issueToken,
  errorBody: (refusal, operation, assumptions) => errorBody(refusal, errorForm(operation, assumptions).form),
  otherMediaType: ({ 'unsupported-media-type': choice }) =>
    choice === 'accept' ? choice : choice === '415' ? 415 : 400,
  otherMethod: ({ 'unsupported-method': choice }) => (choice === '404' ? 404 : 405),
  contract: contractOf,
}

function credentialOf(world: World, claims: Claims): Credential {
  return {
    issuedAtUs: claims.iat * SECOND_US,
    holder: () => {
      const organisation = world.core.store.organisations.byUuid(claims.sub)
      if (!organisation)
        throw new Refusal('AUTH_INVALID_TOKEN', 'the organisation of this token does not exist in this world')
      requireFresh(world, claims, organisation.id)
      return organisation
    },
  }
}

function issueToken(world: World, organisation: Organisation, atUs: InstantUs): IssuedToken {
  const { number } = perform(world.core, { command: 'issue-token', organisationId: organisation.id })
  const atS = Math.floor(atUs / SECOND_US)
  const claims: Claims = { sub: organisation.uuid, typ: 'access', number, iat: atS, exp: atS + ACCESS_LIFE_S }
  return {
    ...credentialOf(world, claims),
    sign: async () => (await signTokens(world, organisation.uuid, number, atS)).accessToken,
  }
}
