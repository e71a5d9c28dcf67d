import { zoneOffsetUs } from '../../model/calendar.ts'
import type { RequestFacts } from '../../scenarios/meet-fault.ts'
import type { Command, Result } from '../commands.ts'
import type { Core } from '../core.ts'

/** Scenario decides which fault a request meets; what it counts is counted, whatever becomes of the request. */
export function meetFault(core: Core, input: Command<'meet-fault'>): Result<'meet-fault'> {
  const { counters } = core.store
  const meeting = core.scenario.meet(factsOfRequest(core, input, counters.next(`request:${input.operation.id}`)))
  const { caller } = input
  for (const fault of meeting.counted) counters.next(`turn:${fault}`)
  for (const { fault, window: number } of meeting.letThrough) {
    const name = windowOf(fault, input)
    if (counters.current(`${name}:window`) !== number) counters.set(`${name}:count`, 0)
    counters.set(`${name}:window`, number)
    counters.next(`${name}:count`)
  }
  if (meeting.revoke && caller) {
    counters.set(`revoked:${caller.organisationId}`, counters.current(`token:${caller.organisationId}`))
  }
  if (meeting.fate) counters.next(`rule:${meeting.fate.by}`)
  return meeting.fate ?? null
}

/** The series that a rate limit counts an organisation by. */
function windowOf(fault: string, { caller }: Pick<Command<'meet-fault'>, 'caller'>): string {
  return `rate:${fault}:${caller?.organisationId ?? 0}`
}

/** What a fault may look at, looked up before it is asked. */
export function factsOfRequest(core: Core, input: Omit<Command<'meet-fault'>, 'command'>, nth: number): RequestFacts {
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
    zoneUs: zoneOffsetUs(core.scenario.assumptions['timestamp-zone']),
    nth,
    matched: (fault) => counters.current(`turn:${fault}`),
    letThrough: (fault, number) => {
      const series = windowOf(fault, input)
      return counters.current(`${series}:window`) === number ? counters.current(`${series}:count`) : 0
    },
    chance: core.chance,
  }
}
