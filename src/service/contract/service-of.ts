import { Kinds } from '../../core/model/kind.ts'
import { OUTCOME } from '../../http/exchange.ts'
import type { Operation } from '../../http/operation.ts'
import { asChosen, assumptions } from '../assumed/assumptions.ts'
import { countries } from '../countries/countries.ts'
import type { ServedKind } from '../declared/payment-kind.ts'
import { factsOf } from '../facts/facts.ts'
import { issueToken, readCredential } from '../operations/token.ts'
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
    readToken: readCredential,
    issueToken,
    errorBody: (refusal, operation, assumptions) => errorBody(refusal, errorForm(operation, assumptions).form),
    read: readRequest,
    refuseUnknown,
    bankCodeProblem: (code, inForce) =>
      bankCodeRules(asChosen(inForce)).find(({ pattern }) => pattern?.test(code) === false)?.expected,
    facts,
    contract: (options) => openApiDocument({ operations, webhooks, facts }, options),
    profiles: async () => (await import('../profiles/past.ts')).profiles,
    examples: async (baseUrl) => (await import('../examples/examples.ts')).examplesAt(baseUrl),
  }
}
