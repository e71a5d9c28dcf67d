import type { CallbackSummary, Control, InboxMessage, PaymentSummary, RequestEntry } from '../../client/control.ts'
import { MfanoError } from '../../client/errors.ts'

/** The nouns that `waitFor` and `verify` take, each with the type of its rows. */
export interface Subjects {
  payment: PaymentSummary
  callback: CallbackSummary
  request: RequestEntry
  /** Messages of all inboxes. */
  inbox: InboxMessage
}
export type Subject = keyof Subjects

type Fields = Readonly<Record<string, unknown>>

type PaymentExample = Partial<
  Pick<PaymentSummary, 'uuid' | 'kind' | 'status' | 'amount' | 'currency' | 'organisationId' | 'referenceId' | 'rule'>
> & {
  request?: Fields
  /** Fields that its end set. */
  details?: Fields
}

interface Examples {
  payment: PaymentExample
  callback: Partial<Pick<CallbackSummary, 'uid' | 'topic' | 'url' | 'state' | 'attempts'>> & {
    /** The last attempt's HTTP status, and why it did not count. */
    lastStatus?: number
    lastError?: string
    /** The payment: its uuid, or an example. */
    payment?: string | PaymentExample
    body?: Fields
  }
  request: Partial<
    Pick<RequestEntry, 'requestId' | 'method' | 'path' | 'status' | 'rule' | 'organisationId' | 'replayed'>
  > & {
    /** The operation's name in the contract, such as `createSendMoney`. */
    operation?: string
    query?: Fields
    headers?: Fields
    body?: Fields
    response?: Fields
    /** The payment that it made: its uuid, or an example. */
    payment?: string | PaymentExample
  }
  inbox: { name?: string; headers?: Fields; body?: Fields }
}

/**
 * A condition in CEL, as `POST /_mfano/wait` takes it, or an example with fields that must be equal: `{ status:
 * 'SUCCESS', request: { remarks: 'Rent' } }`.
 */
export type Where<Of extends Subject> = string | Examples[Of]

export interface WaitOptions {
  /** Real time, such as `500ms`. Default `5s`, at most `60s`. */
  timeout?: string
}

/** Throws, with what came nearest, when they do not come in time. */
export async function waitFor<Of extends Subject>(
  control: Control,
  subject: Of,
  where: Where<Of>,
  options: WaitOptions & { count?: number },
): Promise<Subjects[Of][]> {
  const body = { for: subject, where: condition(subject, where), ...options }
  return (await control('POST', '/wait', { body })).matches as Subjects[Of][]
}

/** The number of matches wanted; by default at least one. */
export interface Verification {
  exactly?: number
  atLeast?: number
  atMost?: number
}

export interface Verified<Of extends Subject> {
  found: number
  matches: Subjects[Of][]
}

/** Throws, with what came nearest, when the matches are not as wanted. */
export async function verify<Of extends Subject>(
  control: Control,
  subject: Of,
  where: Where<Of>,
  times: Verification,
): Promise<Verified<Of>> {
  const { ok, why, found, matches } = await control('POST', '/verify', {
    body: {
      for: subject,
      where: condition(subject, where),
      ...(Object.keys(times).length > 0 && { times }),
    },
  })
  if (ok) return { found, matches: matches as Subjects[Of][] }
  const things = subject === 'inbox' ? 'messages' : `${subject}s`
  throw new MfanoError({ code: 'NOT_SO', message: `It is not so of the world's ${things}.`, details: why ?? '' })
}

/** Names in conditions besides the subject itself. */
const BESIDE: Record<Subject, readonly string[]> = {
  payment: [],
  callback: ['body', 'payment'],
  request: ['body', 'payment'],
  inbox: ['body'],
}

/** As CEL; undefined when anything fits. */
export function condition(subject: Subject, where: string | object): string | undefined {
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
