/** The command that finds the response fault of a request, and counts for it. */
import type { RequestFacts } from '../../scenarios/decide/request-context.ts'
import type { Command, Result } from '../commands.ts'
import type { Core } from '../core.ts'

/** Scenario decides which fault a request meets; what it counts is counted, whatever becomes of the request. */
export function applyResponseFault(core: Core, input: Command<'apply-response-fault'>): Result<'apply-response-fault'> {
  const { counters } = core.store
  const match = core.scenario.matchFault(factsOfRequest(core, input, counters.next(`request:${input.operation.id}`)))
  if (core.trace) core.trace.fault = match
  const { caller } = input
  for (const fault of match.counted) counters.next(`turn:${fault}`)
  for (const { fault, window: number } of match.letThrough) {
    const name = windowOf(fault, input)
    if (counters.current(`${name}:window`) !== number) counters.set(`${name}:count`, 0)
    counters.set(`${name}:window`, number)
    counters.next(`${name}:count`)
  }
  if (match.revoke && caller) {
    counters.set(`revoked:${caller.organisationId}`, counters.current(`token:${caller.organisationId}`))
  }
  if (match.fault) counters.next(`rule:${match.fault.by}`)
  return match.fault ?? null
}

/** The series that a rate limit counts an organisation by. */
function windowOf(fault: string, { caller }: Pick<Command<'apply-response-fault'>, 'caller'>): string {
  return `rate:${fault}:${caller?.organisationId ?? 0}`
}

/** What a fault may look at, looked up before it is asked. */
export function factsOfRequest(
  core: Core,
  input: Omit<Command<'apply-response-fault'>, 'command'>,
  nth: number,
): RequestFacts {
  const { operation, request, caller } = input
  const { counters, organisations } = core.store
  const organisation = caller ? organisations.byId(caller.organisationId) : undefined
  return {
    operation,
    request,
    organisation: organisation && {
      uuid: organisation.uuid,
      name: organisation.name,
      parent: organisation.parentId === null,
    },
    tokenIssuedAtUs: caller?.tokenIssuedAtUs,
    nowUs: core.clock.now(),
    zoneUs: core.scenario.zone.offsetUs,
    nth,
    matched: (fault) => counters.current(`turn:${fault}`),
    letThrough: (fault, number) => {
      const series = windowOf(fault, input)
      return counters.current(`${series}:window`) === number ? counters.current(`${series}:count`) : 0
    },
    chance: core.chance,
  }
}
