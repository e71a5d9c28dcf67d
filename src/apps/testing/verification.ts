/** Verifies how often something happened. */
import type { Control } from '../../client/control.ts'
import { MfanoError } from '../../client/errors.ts'
import { condition, type WaitSubject, type Where } from './wait-options.ts'

/** The number of matches wanted; by default at least one. */
export interface Verification<Example> {
  exactly?: number
  atLeast?: number
  atMost?: number
  /** In this order; others may come between them. */
  inOrder?: readonly Where<Example>[]
  /** No match comes after the first one of these. */
  noneAfter?: Where<Example>
}

export interface Verified<Thing> {
  found: number
  /** The first ten. */
  matches: Thing[]
}

/** Throws, with what came nearest, when the matches are not as wanted. */
export async function verify<Thing extends object, Example extends object>(
  control: Control,
  subject: WaitSubject,
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

const plural: Record<WaitSubject, string> = {
  payment: 'payments',
  callback: 'callbacks',
  request: 'requests',
  inbox: 'messages',
}
