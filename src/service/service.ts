import { Kinds } from '../core/model/kind.ts'
import { must } from '../core/model/must.ts'
import { OUTCOME } from '../http/exchange.ts'
import type { Operation } from '../http/operation.ts'
import { asChosen, assumptions } from './assumptions/assumptions.ts'
import { errorBody, errorForm, factsOf } from './contract/facts.ts'
import { openApiDocument } from './contract/openapi.ts'
import { countries } from './countries/countries.ts'
import type { ServedKind } from './declarations/payment-kind.ts'
import { allocation, deAllocation } from './kinds/allocation.ts'
import { bankCollection } from './kinds/bank-collection.ts'
import { accountVerification, bankPayout } from './kinds/bank-payout.ts'
import { checkout } from './kinds/checkout.ts'
import { sendMoney } from './kinds/send-money.ts'
import { paybill, till } from './kinds/short-code.ts'
import { stk } from './kinds/stk.ts'
import { subAccountOperations, walletRoutes } from './operations/organisations.ts'
import { issueToken, readCredential, tokenOperations } from './operations/token.ts'
import type { ServedService } from './parts.ts'
import { bankCodeRules, readRequest, refuseUnknown } from './requests/request.ts'

export const kinds: readonly ServedKind[] = [
  sendMoney,
  till,
  paybill,
  bankPayout,
  accountVerification,
  stk,
  bankCollection,
  checkout,
  allocation,
  deAllocation,
]

const [allocate, cancel, ...allocationLists] = allocation.operations
const [deAllocate, ...deAllocationLists] = deAllocation.operations

export const contract: readonly Operation[] = [
  ...tokenOperations,
  ...subAccountOperations,
  must(allocate),
  must(deAllocate),
  must(cancel),
  ...allocationLists,
  ...deAllocationLists,
  ...checkout.operations,
  ...sendMoney.operations,
  ...till.operations,
  ...paybill.operations,
  ...bankPayout.operations,
  ...accountVerification.operations,
  ...stk.operations,
  ...bankCollection.operations,
  ...walletRoutes,
]

interface Parts {
  kinds: readonly ServedKind[]
  contract: readonly Operation[]
}

export function serviceOf({ kinds, contract }: Parts): ServedService {
  const operations = [...new Set([...contract, ...kinds.flatMap((kind) => kind.operations)])]
  const webhooks = kinds.flatMap(({ webhook, callback }) =>
    webhook ? [{ ...webhook, ...(callback?.unless && { unless: callback.unless }) }] : [],
  )
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
    get facts() {
      return factsOf(operations)
    },
    contract: (options) => openApiDocument({ operations, webhooks }, options),
    profiles: async () => (await import('./profiles/past.ts')).profiles,
    examples: async (baseUrl) => (await import('./examples/examples.ts')).examplesAt(baseUrl),
  }
}

export const paymentsService = serviceOf({ kinds, contract })
