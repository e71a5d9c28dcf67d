/** Verifies how often something happened. */
import type { Control } from '../../client/control.ts'
import { MfanoError } from '../../client/errors.ts'

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

// Waits for facts in tests.

export interface WaitOptions {
  /** Real time, such as `500ms`. Default `5s`, at most `60s`. */
  timeout?: string
}

/**
 * A condition in CEL, as `POST /_mfano/wait` takes it, or an example with fields that must be equal: `{ status:
 * 'SUCCESS', request: { remarks: 'Rent' } }`.
 */
export type Where<Example> = string | Example

type WaitSubject = 'payment' | 'callback' | 'request' | 'inbox'

/** Names in conditions besides the subject itself. */
const BESIDE: Record<WaitSubject, readonly string[]> = {
  payment: [],
  callback: ['body', 'payment'],
  request: ['body', 'payment'],
  inbox: ['body'],
}

/** Throws, with what came nearest, when they do not come in time. */
export async function waitFor<Thing extends object>(
  control: Control,
  subject: WaitSubject,
  where: Where<object>,
  options: WaitOptions & { count?: number },
): Promise<Thing[]> {
  const body = { for: subject, where: condition(subject, where), ...options }
  return (await control('POST', '/wait', { body })).matches as Thing[]
}

/** As CEL; undefined when anything fits. */
export function condition(subject: WaitSubject, where: Where<object>): string | undefined {
  if (typeof where === 'string') return where
  const root = subject === 'inbox' ? 'message' : subject
  if ('timeout' in where)
    throw new MfanoError({
      code: 'BAD_OPTIONS',
      message: `timeout: a ${root} has no such field; options come last, as in waitFor({}, { timeout: '5s' })`,
    })
  const parts = Object.entries(where).flatMap(([name, value]) => {
    if (!BESIDE[subject].includes(name)) return equalities(`${root}.${name}`, value)
    return equalities(name === 'payment' && typeof value === 'string' ? 'payment.uuid' : name, value)
  })
  return parts.length > 0 ? parts.join(' && ') : undefined
}

function equalities(path: string, value: unknown): string[] {
  if (value === undefined) return []
  if (typeof value !== 'object' || value === null) return [`${path} == ${JSON.stringify(value)}`]
  return Object.entries(value).flatMap(([key, inner]) => {
    if (Array.isArray(value)) return equalities(`${path}[${key}]`, inner)
    return equalities(/^[A-Za-z]\w*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`, inner)
  })
}
