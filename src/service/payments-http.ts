/** The service as the road of a request serves it. */
import type { Credential, HttpService } from '../http/http-service.ts'
import { Refusal } from '../model/refusal.ts'
import { SECOND_US } from '../model/time.ts'
import type { World } from '../world/world.ts'
import { contractOf } from './contract.ts'
import { errorBody, errorForm } from './error-body.ts'
import { operations } from './operations.ts'
import { type Claims, readToken, requireFresh } from './tokens.ts'

export const paymentsHttp: HttpService = {
  operations,
  keptHeaders: ['content-type', 'device-id', 'user-agent'],
  readToken: async (world, token) => credentialOf(world, await readToken(world, token, 'access')),
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
