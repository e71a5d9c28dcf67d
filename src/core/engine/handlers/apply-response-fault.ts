/** The command that finds the fault of a request and counts it. */
import type { Command, CommandResult } from '../../commands.ts'
import { factsOfRequest, windowOf } from '../../condition-facts.ts'
import type { Core } from '../../core.ts'

export function applyResponseFault(
  core: Core,
  input: Command<'apply-response-fault'>,
): CommandResult<'apply-response-fault'> {
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
