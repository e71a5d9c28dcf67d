import { Kinds } from '../../core/model/kind.ts'
import type { Organisation } from '../../core/model/payment.ts'
import type { InstantUs } from '../../core/model/time.ts'
import { perform } from '../../core/perform.ts'
import type { World } from '../../core/world.ts'
import { OUTCOME } from '../../http/exchange.ts'
import type { Credential, IssuedToken } from '../../http/http-service.ts'
import type { Operation } from '../../http/operation.ts'
import { asChosen, assumptions } from '../assumed/assumptions.ts'
import { countries } from '../countries/countries.ts'
import type { ServedKind } from '../declared/payment-kind.ts'
import { factsOf } from '../facts/facts.ts'
import { type Claims, claimsOf, holderOf, issuedAtUs, readToken, signTokens } from '../operations/token.ts'
import type { ServedService } from '../parts.ts'
import { bankCodeRules, readRequest, refuseUnknown } from '../requests/request.ts'
import { openApiDocument } from './openapi.ts'
import { errorBody, errorForm } from './refusals.ts'

interface Parts {
  kinds: readonly ServedKind[]
  contract: readonly Operation[]
}

export function serviceOf({ kinds, contract }: Parts): ServedService {
  const operations = [...new Set([...contract, ...kinds.flatMap((kind) => kind.operations)])]
  const webhooks = kinds.flatMap(({ webhook, callback }) =>
    webhook ? [{ ...webhook, ...(callback?.unless && { unless: callback.unless }) }] : [],
  )
  const facts = factsOf(operations)
  const headers = operations.flatMap((operation) => operation.headers ?? []).map(({ name }) => name.toLowerCase())
  return {
    kinds: new Kinds(kinds),
    countries,
    assumptions,
    operations,
    webhooks,
    collections: kinds.flatMap(({ name, collections = [] }) => collections.map((one) => ({ ...one, kind: name }))),
    keptHeaders: ['content-type', ...new Set(headers), OUTCOME, 'idempotency-key', 'user-agent'],
    readToken: (world, token) => {
      const claims = readToken(world, token, 'access')
      return claims instanceof Promise
        ? claims.then((verified) => credentialOf(world, verified))
        : credentialOf(world, claims)
    },
    issueToken,
    errorBody: (refusal, operation, assumptions) => errorBody(refusal, errorForm(operation, assumptions).form),
    read: (schema, sent, inForce) => readRequest(schema, sent, asChosen(inForce)),
    refuseUnknown: (fields, inForce) => refuseUnknown(fields, asChosen(inForce)['unknown-fields']),
    bankCodeProblem: (code, inForce) =>
      bankCodeRules(asChosen(inForce)).find(({ pattern }) => pattern?.test(code) === false)?.expected,
    facts,
    contract: (options) => openApiDocument({ operations, webhooks, facts }, options),
    profiles: async () => (await import('../profiles/past.ts')).profiles,
    examples: async (baseUrl) => (await import('../examples/examples.ts')).examplesAt(baseUrl),
  }
}

function credentialOf(world: World, claims: Claims): Credential {
  return {
    issuedAtUs: issuedAtUs(claims),
    holder: () => holderOf(world, claims),
  }
}

function issueToken(world: World, organisation: Organisation, atUs: InstantUs): IssuedToken {
  const { number } = perform(world.core, { command: 'issue-token', organisationId: organisation.id })
  return {
    ...credentialOf(world, claimsOf(world, 'access', organisation.uuid, number, atUs)),
    sign: async () => (await signTokens(world, organisation.uuid, number, atUs)).accessToken,
  }
}
