/** Waits for facts in tests. */
import type { Control } from '../../client/control.ts'
import { MfanoError } from '../../client/errors.ts'

export interface WaitOptions {
  /** Real time, such as `500ms`. Default `5s`, at most `60s`. */
  timeout?: string
}

/**
 * A condition in CEL, as `POST /_mfano/wait` takes it, or an example with fields that must be equal: `{ status:
 * 'SUCCESS', request: { remarks: 'Rent' } }`.
 */
export type Where<Example> = string | Example

export type WaitSubject = 'payment' | 'callback' | 'request' | 'inbox'

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
