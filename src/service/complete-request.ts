import type { Core } from '../core/core.ts'
import { type Kind, moneyIn } from '../core/model/kind.ts'
import type { Currency } from '../core/model/money.ts'
import type { JsonObject, Organisation } from '../core/model/payment.ts'
import { perform } from '../core/perform.ts'
import type { Operation } from '../http/operation.ts'
import { check } from '../http/validate.ts'
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
  const request = { ...given }
  for (const name of missingFields(core, operation, given))
    if (examples[name] !== undefined) request[name] = examples[name]
  const { currency, amountMinor } = moneyIn(kind, request)
  for (const [name, value] of Object.entries(request)) {
    if (given[name] !== undefined) continue
    if (value === EXAMPLE_COMPANY) request[name] = caller.uuid
    if (value === EXAMPLE_UUID) request[name] = subAccountOf(core, caller, currency, amountMinor).uuid
  }
  return request
}

function missingFields({ scenario }: Core, { body }: Operation, request: JsonObject): string[] {
  if (!body) return []
  const { schema, rules } = requestUnder(body, scenario.assumptions)
  const { problems } = check(schema, request, rules)
  return problems.map(({ field }) => field).filter((name) => !request[name])
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
