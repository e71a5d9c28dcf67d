/** How often something happened, for tests. */
import type { Control } from '../../client/control.ts'
import { MfanoError } from '../../client/errors.ts'
import { condition, type Subject, type Where } from './wait-options.ts'

/** What is wanted of those that a condition holds for; at least one of them, where nothing is said. */
export interface Verification<Example> {
  exactly?: number
  atLeast?: number
  atMost?: number
  /** One after the other; others may come in between. */
  inOrder?: readonly Where<Example>[]
  /** None comes after the first for which this holds. */
  noneAfter?: Where<Example>
}

/** What was found. */
export interface Verified<Thing> {
  found: number
  /** The first ten. */
  matches: Thing[]
}

/** Fails, with what came nearest, unless it is so. */
export async function verify<Thing extends object, Example extends object>(
  control: Control,
  subject: Subject,
  where: Where<Example>,
  wanted: Verification<Example>,
): Promise<Verified<Thing>> {
  const { inOrder, noneAfter, ...times } = wanted
  const { ok, why, found, matches } = await control('POST', '/verify', {
    body: {
      for: subject,
      where: condition(subject, where),
      ...(Object.keys(times).length > 0 && { times }),
      ...(inOrder && { inOrder: inOrder.map((step) => ({ where: condition(subject, step) })) }),
      ...(noneAfter && { noneAfter: { where: condition(subject, noneAfter) } }),
    },
  })
  if (ok) return { found, matches: matches as Thing[] }
  throw new MfanoError({
    code: 'NOT_SO',
    message: `It is not so of the world's ${plural[subject]}.`,
    details: why ?? '',
  })
}

const plural: Record<Subject, string> = {
  payment: 'payments',
  callback: 'callbacks',
  request: 'requests',
  inbox: 'messages',
}
