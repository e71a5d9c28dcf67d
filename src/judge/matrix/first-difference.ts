import type { CallbackSummary, RequestEntry } from '../../client/control.ts'
import type { Touches } from '../../core/model/assumption.ts'
import type { Traces } from '../explore/world-left.ts'
import { type Difference, differencesOf, printed, withoutIds } from '../values/differences.ts'

export interface FirstDifference {
  what: 'request' | 'callback'
  name: string
  about: string | null
  path: string
  /** As text. `(nothing)` if one run lacks it. */
  byDefault: string
  here: string
}

interface Step {
  what: FirstDifference['what']
  name: string
  about: string | null
  at: string
  told: unknown
}

const NOT_YET = 'not sent yet'

export function firstDifference(byDefault: Traces, here: Traces): FirstDifference | undefined {
  const expected = Map.groupBy(stepsOf(byDefault), nameOf)
  const met = new Map<string, number>()
  // How far callbacks came is a matter of when the suite ended, so those that only one run has come last.
  let unmatched: FirstDifference | undefined
  for (const step of stepsOf(here)) {
    const turn = met.get(nameOf(step)) ?? 0
    met.set(nameOf(step), turn + 1)
    const before = expected.get(nameOf(step))?.[turn]
    if (before) {
      const first = differencesOf(before.told, step.told).find(
        ({ first, second }) => ![first, second].includes(NOT_YET),
      )
      if (first) return told(step, first)
    } else {
      const extra = told(step, { path: '', first: undefined, second: step.told })
      if (step.what === 'request') return extra
      unmatched ??= extra
    }
  }
  const missing = [...expected].flatMap(([name, steps]) => steps.slice(met.get(name) ?? 0))[0]
  return unmatched ?? (missing && told(missing, { path: '', first: missing.told, second: undefined }))
}

function nameOf({ what, name }: Step): string {
  return `${what} ${name}`
}

/** Ordered by world time. At the same time, requests come before callbacks, because they cause them. */
function stepsOf({ requests, callbacks }: Traces): Step[] {
  const steps = [...requests.map(requestStep), ...callbacks.map(callbackStep)]
  return steps.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

function requestStep({ operation, method, path, status, response, at }: RequestEntry): Step {
  return {
    what: 'request',
    name: `${method} ${withoutIds(path)}`,
    about: operation,
    at,
    told: { status, body: response },
  }
}

function callbackStep({ topic, body, createdAt, state, attempts }: CallbackSummary): Step {
  const outcome = state === 'delivered' ? 'received' : attempts === 0 ? NOT_YET : 'not received'
  return { what: 'callback', name: `${topic} callback`, about: topic, at: createdAt, told: { body, outcome } }
}

function told(
  { what, name, about }: Step,
  { path, first, second }: Pick<Difference, 'path' | 'first' | 'second'>,
): FirstDifference {
  return { what, name, about, path, byDefault: printed(first), here: printed(second) }
}

interface UsedParts {
  operations: ReadonlySet<string>
  /** Kinds of created payments, because each may cause a callback. */
  kinds: ReadonlySet<string>
  unrouted: boolean
  noted: ReadonlySet<string>
}

export function usedParts({ requests, callbacks, kinds }: Traces): UsedParts {
  return {
    operations: new Set(requests.map(({ operation }) => operation).filter((id) => id !== null)),
    kinds: new Set([...kinds, ...callbacks.map(({ topic }) => topic)]),
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
