import type { Core } from '../core/core.ts'
import { type Kind, moneyIn } from '../core/model/kind.ts'
import type { Currency } from '../core/model/money.ts'
import type { JsonObject, Organisation } from '../core/model/payment.ts'
import { perform } from '../core/perform.ts'
import type { Operation } from '../http/operation.ts'
import { check, unmet } from '../http/validate.ts'
import { chosen } from './assumptions/assumptions.ts'
import { exampleIn } from './countries/countries.ts'
import { EXAMPLE_COMPANY, EXAMPLE_UUID, requestUnder } from './requests/request.ts'

const UNLIMITED = 1000

/**
 * Adds required fields from the contract's example, in the form of the currency. Call it inside a commit, because it
 * may create a sub-account with money.
 */
export function completeRequest(
  core: Core,
  caller: Organisation,
  kind: Kind,
  operation: Operation,
  given: JsonObject,
  baseUrl: string,
): JsonObject {
  const examples = { ...operation.example?.(baseUrl), ...exampleIn(moneyIn(kind, given).currency) } as JsonObject
  const filled = missingFields(core, operation, given).flatMap((name) => {
    const example = examples[name]
    return example === undefined ? [] : [[name, example]]
  })
  return withOrganisations(core, caller, kind, given, { ...given, ...Object.fromEntries(filled) })
}

function missingFields(core: Core, { body }: Operation, request: JsonObject): string[] {
  if (!body) return []
  const checked = check(body, request)
  const found = 'data' in checked ? [] : checked.problems
  const problems = [...found, ...unmet(requestUnder(body, chosen(core)).rules, request, () => false)]
  return problems.map(({ field }) => field).filter((name) => !request[name])
}

function withOrganisations(
  core: Core,
  caller: Organisation,
  kind: Kind,
  given: JsonObject,
  request: JsonObject,
): JsonObject {
  const named = Object.entries(request).filter(([name]) => given[name] === undefined)
  const { currency, amountMinor } = moneyIn(kind, request)
  const replaced = named.flatMap(([name, value]) => {
    if (value === EXAMPLE_COMPANY) return [[name, caller.uuid]]
    if (value === EXAMPLE_UUID) return [[name, subAccountOf(core, caller, currency, amountMinor).uuid]]
    return []
  })
  return replaced.length === 0 ? request : { ...request, ...Object.fromEntries(replaced) }
}

function subAccountOf(core: Core, caller: Organisation, currency: Currency, amountMinor: number): Organisation {
  perform(core, { command: 'subscribe', organisationId: caller.parentId ?? caller.id })
  const { phoneNumber, email } = caller
  const [
    own = perform(core, {
      command: 'create-organisation',
      parentId: caller.id,
      name: 'Supposed Sub-account',
      email,
      phoneNumber,
      user: {
        username: `supposed-${caller.uuid}`,
        userType: 'API_USER',
        firstName: 'Supposed',
        lastName: 'User',
        email,
        roles: [],
      },
    }),
  ] = core.store.organisations.childrenOf(caller.id)
  if (amountMinor > 0)
    perform(core, { command: 'fund-wallet', organisationId: own.id, currency, amountMinor: amountMinor * UNLIMITED })
  return own
}
