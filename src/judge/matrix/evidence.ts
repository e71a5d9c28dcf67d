/** Evidence that a run left in its world: requests and callbacks in order, and the assumptions they depend on. */
import type { Control } from '../../client/control.ts'
import type { CallbackSummary, RequestEntry } from '../../client/control-answers.ts'
import type { Touches } from '../../core/model/assumption.ts'
import { withWorldsBelow } from '../subject/own-worlds.ts'

const PAGE = 1000

export interface Evidence {
  /** Oldest first. */
  requests: RequestEntry[]
  /** Oldest first. */
  callbacks: CallbackSummary[]
  used: UsedAssumptions
}

export interface UsedAssumptions {
  operations: ReadonlySet<string>
  /** Kinds of created payments, because each may cause a callback. */
  kinds: ReadonlySet<string>
  unrouted: boolean
  noted: ReadonlySet<string>
}

export async function evidenceOf(control: Control): Promise<Evidence> {
  const all = await Promise.all((await withWorldsBelow(control)).map(leftIn))
  const requests = all.flatMap((one) => one.requests)
  const callbacks = all.flatMap((one) => one.callbacks)
  const kinds = [...all.flatMap((one) => one.kinds), ...callbacks.map(({ topic }) => topic)]
  return {
    requests,
    callbacks,
    used: {
      operations: new Set(requests.map(({ operation }) => operation).filter((id) => id !== null)),
      kinds: new Set(kinds),
      unrouted: requests.some(({ operation }) => operation === null),
      noted: new Set(requests.flatMap(({ assumed }) => assumed)),
    },
  }
}

async function leftIn(control: Control): Promise<Pick<Evidence, 'requests' | 'callbacks'> & { kinds: string[] }> {
  const [requests, { callbacks }, { payments }] = await Promise.all([
    allRequests(control),
    control('GET', '/callbacks', { query: { limit: PAGE } }),
    control('GET', '/payments', { query: { limit: PAGE } }),
  ])
  return { requests, callbacks: callbacks.toReversed(), kinds: payments.map(({ kind }) => kind) }
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
