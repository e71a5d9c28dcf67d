/** An answer as it was some time ago: what has ended since is still under way in it. */
import { openStates, start } from '../../../core/lifecycle.ts'
import { paymentsService } from '../../../service/service.ts'

/** Status of a payment before it ended, by the word for its end. */
const before = new Map<string, string>()
for (const kind of paymentsService.kinds)
  for (const end of kind.ends) if (!before.has(end)) before.set(end, beginningOf(kind))

function beginningOf(kind: Parameters<typeof start>[0]): string {
  const { status } = start(kind, { endsWell: true })
  return openStates.find((open) => open === status) ?? openStates[0]
}

export function staleBody(body: string): string {
  return body.replace(/("status":\s*")(\w+)(")/g, (whole, head: string, status: string, tail: string) => {
    const earlier = before.get(status)
    return earlier === undefined ? whole : head + earlier + tail
  })
}
