import type { Touches } from '../../core/model/assumption.ts'
import type { Traces } from '../explore/world-left.ts'

interface UsedParts {
  operations: ReadonlySet<string>
  /** Kinds of created payments, because each may cause a callback. */
  kinds: ReadonlySet<string>
  unrouted: boolean
  noted: ReadonlySet<string>
}

export function usedParts({ requests, kinds }: Omit<Traces, 'told'>): UsedParts {
  return {
    operations: new Set(requests.map(({ operation }) => operation).filter((id) => id !== null)),
    kinds: new Set(kinds),
    unrouted: requests.some(({ operation }) => operation === null),
    noted: new Set(requests.flatMap(({ assumed }) => assumed)),
  }
}

export function isTouched(
  id: string,
  { operations = [], callbacks = [], unrouted, noted }: Touches,
  used: UsedParts,
): boolean {
  if (noted) return used.noted.has(id)
  const some = (touched: 'all' | readonly string[], met: ReadonlySet<string>) =>
    touched === 'all' ? met.size > 0 : touched.some((one) => met.has(one))
  return some(operations, used.operations) || some(callbacks, used.kinds) || (unrouted === true && used.unrouted)
}
