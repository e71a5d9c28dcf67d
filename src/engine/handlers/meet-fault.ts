import { zoneOffsetUs } from '../../model/calendar.ts'
import type { Command, Result } from '../commands.ts'
import type { Core } from '../core.ts'

/** Scenario decides which fault a request meets; what it counts is counted, whatever becomes of the request. */
export function meetFault(core: Core, { operation, request, caller }: Command<'meet-fault'>): Result<'meet-fault'> {
  const { counters, organisations } = core.store
  const organisation = caller ? organisations.byId(caller.organisationId) : undefined
  const window = (fault: string) => `rate:${fault}:${organisation?.id ?? 0}`
  const meeting = core.scenario.meet({
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
    nth: counters.next(`request:${operation.id}`),
    matched: (fault) => counters.current(`turn:${fault}`),
    letThrough: (fault, number) =>
      counters.current(`${window(fault)}:window`) === number ? counters.current(`${window(fault)}:count`) : 0,
    chance: core.chance,
  })
  for (const fault of meeting.counted) counters.next(`turn:${fault}`)
  for (const { fault, window: number } of meeting.letThrough) {
    const name = window(fault)
    if (counters.current(`${name}:window`) !== number) counters.set(`${name}:count`, 0)
    counters.set(`${name}:window`, number)
    counters.next(`${name}:count`)
  }
  if (meeting.revoke && organisation) {
    counters.set(`revoked:${organisation.id}`, counters.current(`token:${organisation.id}`))
  }
  if (meeting.fate) counters.next(`rule:${meeting.fate.by}`)
  return meeting.fate ?? null
}
