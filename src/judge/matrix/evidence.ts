/** What a run left in its world: requests and callbacks, in order, and what of the service they used. */
import type { Control } from '../../client/control.ts'
import type { CallbackSummary, RequestEntry } from '../../client/control-answers.ts'
import type { Touches } from '../../core/model/assumption.ts'

/** The journal and the outbox are read so many at a time. */
const PAGE = 1000

export interface Evidence {
  /** Oldest first. */
  requests: RequestEntry[]
  /** Oldest first. */
  callbacks: CallbackSummary[]
  used: UsedAssumptions
}

/** What of the service a run used. */
export interface UsedAssumptions {
  operations: ReadonlySet<string>
  /** Kinds of the payments that it made: each may lead to a callback. */
  kinds: ReadonlySet<string>
  /** Something was asked for that no operation answers. */
  unrouted: boolean
  /** Assumptions that the journal names. */
  noted: ReadonlySet<string>
}

export async function evidenceOf(control: Control): Promise<Evidence> {
  const [requests, callbacks, { payments }] = await Promise.all([
    allRequests(control),
    control('GET', '/callbacks', { query: { limit: PAGE } }),
    control('GET', '/payments', { query: { limit: PAGE } }),
  ])
  const told = callbacks.callbacks.toReversed()
  return {
    requests,
    callbacks: told,
    used: {
      operations: new Set(requests.map(({ operation }) => operation).filter((id) => id !== null)),
      kinds: new Set([...payments.map(({ kind }) => kind), ...told.map(({ topic }) => topic)]),
      unrouted: requests.some(({ operation }) => operation === null),
      noted: new Set(requests.flatMap(({ assumed }) => assumed)),
    },
  }
}

async function allRequests(control: Control): Promise<RequestEntry[]> {
  const found: RequestEntry[] = []
  for (let from: number | undefined; ; ) {
    const page = await control('GET', '/requests', { query: { order: 'oldest-first', limit: PAGE, from } })
    found.push(...page.requests)
    if (page.next === null) return found
    from = page.next
  }
}

/** Whether an alternative of an assumption can show in what a run used. */
export function isTouched(
  id: string,
  { operations = [], callbacks = [], unrouted, noted }: Touches,
  used: UsedAssumptions,
): boolean {
  if (noted) return used.noted.has(id)
  const some = (touched: 'all' | readonly string[], met: ReadonlySet<string>) =>
    touched === 'all' ? met.size > 0 : touched.some((one) => met.has(one))
  return some(operations, used.operations) || some(callbacks, used.kinds) || (unrouted === true && used.unrouted)
}
