import { keysIn } from '../core/model/must.ts'
import type { AssumptionId, Chosen } from './assumptions/assumptions.ts'

/**
 * Cost of a probe at the service, cheapest first. `free`: reads, and requests that are certain to be refused.
 * `session`: a checkout session that nobody pays. `lasting`: something that remains, such as a sub-account.
 * `own-transfer`: money moved between own wallets and back. `payment`: a small payment. `receiver`: a payment whose
 * callback goes to an address on the internet.
 */
export const tiers = ['free', 'session', 'lasting', 'own-transfer', 'payment', 'receiver'] as const
export type Tier = (typeof tiers)[number]

/**
 * Why a request is certain to change nothing, whichever fields the service requires. `unknown-organisation`: it names an
 * organisation that does not exist. `impossible-amount`: the amount is larger than any wallet holds or the service can
 * count. `impossible-email`: the address is none. `unknown-key`: it logs in with a key that is nobody's. `no-body`: it
 * says nothing of what to make.
 */
export type Doom = 'unknown-organisation' | 'impossible-amount' | 'impossible-email' | 'unknown-key' | 'no-body'

/** Whose token a request carries. `earlier-token` is one the merchant got before. */
export type Asker = 'merchant' | 'nobody' | 'earlier-token' | 'sub-account'

/**
 * Texts of a step may hold names in braces: `{companyId}` is of the account, `{0.data.requestId}` of the body of the
 * first answer, `{0.records.0.uuid}` of the list that it shows.
 */
interface OfStep {
  essential?: string | undefined
  lacks?: string
  /** Left out unless this earlier request was accepted. */
  ifDone?: number
}

export interface ProbeRequest extends OfStep {
  method: string
  path: string
  asker?: Asker
  headers?: Readonly<Record<string, string>>
  body?: object | string
  type?: string
  doom?: Doom
  logsIn?: true
  /** Send it again although an equal request was answered, because the repetition is what is tested. */
  repeats?: number
  /** Undoes an earlier step, so it is sent even if a step between them fails. */
  restores?: true
}

interface Pause extends OfStep {
  waitMs: number
}

export interface Awaited extends OfStep {
  callbacksAt: string
  atLeast: number
  withinMs: number
}

export interface SeenAnswer {
  request: ProbeRequest
  status: number
  headers: Readonly<Record<string, string>>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: what a service answers is what is asked
  body: any
}

export interface ProbeAccount {
  companyId: string
  apiKey: string
  apiSecret: string
  /** Base URL of the callback receiver, reachable from the internet, without a trailing slash. */
  receiver?: string | undefined
  to: readonly string[]
  /**
   * Bank and account as `0068/0123456789`. The holder must not be "Nobody Of That Name", because a probe pays under
   * that name.
   */
  bankAccount?: string | undefined
  amount: number
  run: string
}

/** The operator provides these before a probe can run; each with the text by which steps show that they use it. */
const marks = {
  receiver: '"callbacksAt"',
  'phone-ke': '{kenyanPhone}',
  'phone-tz': '{tanzanianPhone}',
  'bank-account': '{bankCode}',
  'sub-account': '"asker":"sub-account"',
} as const
export type Need = keyof typeof marks

/** The answers decide nothing. `excluded` lists the alternatives that they still rule out. */
export class Inconclusive {
  readonly why: string
  readonly excluded: readonly string[]
  constructor(why: string, excluded: readonly string[] = []) {
    this.why = why
    this.excluded = excluded
  }
}

export const inconclusive = (why: string, ...excluded: string[]): Inconclusive => new Inconclusive(why, excluded)

export type StepAction = ProbeRequest | Pause | Awaited
/** A step, or a function of the answers so far. It returns nothing when they already decide. */
export type ProbeStep = StepAction | ((seen: readonly SeenAnswer[]) => StepAction | Inconclusive | undefined)

/** By the status of an answer. `done`: any that accepts. `form`: any that refuses the form of a request. */
export type Table<Value extends string> = Readonly<{ [status: number]: Value | Inconclusive }> & {
  readonly done?: Value | Inconclusive
  readonly form?: Value | Inconclusive
}

type Tells<Value extends string> =
  | Table<Value>
  | ((seen: readonly SeenAnswer[], account: ProbeAccount) => Value | Inconclusive | undefined)

export interface ProbeWay<Value extends string = string> {
  tier: Tier
  steps: readonly ProbeStep[]
  /** An alternative for the last answer, or a function of all answers. Undefined when they match none. */
  tells: Tells<Value>
}

type Sees<Value extends string> = (answer: SeenAnswer) => Value | undefined

export interface ServiceProbe<Value extends string = string> extends ProbeWay<Value> {
  /** A dearer way, for when this one decides nothing. */
  or?: ProbeWay<Value>
  sees?: Sees<Value>
}

export interface Unaskable<Value extends string = string> {
  unaskable: string
  sees?: Sees<Value>
}

export type AllProbes = { readonly [Id in AssumptionId]: ServiceProbe<Chosen[Id]> | Unaskable<Chosen[Id]> }
export type SomeProbes = Partial<AllProbes>

export function seenAt<const Value extends string>(
  path: RegExp,
  tells: Table<Value> | ((answer: SeenAnswer) => Value | Inconclusive | undefined),
): Sees<Value> {
  return (seen) => {
    if (!path.test(`${seen.request.method} ${seen.request.path.split('?')[0]}`)) return undefined
    const told = typeof tells === 'function' ? tells(seen) : byStatus(seen, tells)
    return told instanceof Inconclusive ? undefined : told
  }
}

/** By a field of the last answer, as text. */
export function byField<const Value extends string>(
  path: string,
  table: Readonly<Record<string, Value | Inconclusive>>,
) {
  return (seen: readonly SeenAnswer[]): Value | Inconclusive | undefined => table[String(valueIn(seen.at(-1), path))]
}

export function byStatus<const Value extends string>(seen: SeenAnswer | undefined, table: Table<Value>) {
  if (!seen) return undefined
  return table[seen.status] ?? (isDone(seen) ? table.done : isRefusedForForm(seen) ? table.form : undefined)
}

export const isDone = (seen: SeenAnswer | undefined): boolean =>
  seen !== undefined && seen.status >= 200 && seen.status < 300

export const isRefusedForForm = ({ status }: SeenAnswer): boolean => [400, 406, 413, 415, 422].includes(status)

// biome-ignore lint/suspicious/noExplicitAny: what a service answers is what is asked
export type ListedRecord = any

export function recordsOf(seen: SeenAnswer | undefined): ListedRecord[] {
  const listed = seen?.status === 200 ? (Array.isArray(seen.body) ? seen.body : seen.body?.data) : undefined
  return Array.isArray(listed) ? listed.filter((one) => typeof one === 'object' && one !== null) : []
}

const askedBy =
  (tier: Tier) =>
  <const Value extends string>(steps: readonly ProbeStep[], tells: Tells<Value>): ProbeWay<Value> => ({
    tier,
    steps,
    tells,
  })

export const free = askedBy('free')
export const bySession = askedBy('session')
export const lasting = askedBy('lasting')
export const byOwnTransfer = askedBy('own-transfer')
export const byPayment = askedBy('payment')
export const byCallback = askedBy('receiver')

export function needsOf({ steps }: ProbeWay): Need[] {
  const text = JSON.stringify(steps)
  return keysIn(marks).filter((need) => text.includes(marks[need]))
}

export const waysOf = (probe: ServiceProbe): readonly ProbeWay[] => [probe, ...(probe.or ? [probe.or] : [])]

export function toldBy({ tells }: ProbeWay, seen: readonly SeenAnswer[], account: ProbeAccount) {
  return typeof tells === 'function' ? tells(seen, account) : byStatus(seen.at(-1), tells)
}

export function actionOf(step: ProbeStep, seen: readonly SeenAnswer[], account: ProbeAccount) {
  const action = typeof step === 'function' ? step(seen) : step
  if (!action || action instanceof Inconclusive) return action
  if (action.ifDone !== undefined && !isDone(seen[action.ifDone])) return undefined
  const lacking: string[] = []
  const filled = filledBy(action, account, (at, path) => {
    const value = valueIn(seen[at], path)
    if (value === undefined) lacking.push(path)
    return value
  })
  return lacking.length === 0 ? filled : inconclusive(action.lacks ?? `an answer lacks ${lacking.join(', ')}`)
}

export function endedBy(action: StepAction, answer: SeenAnswer): Inconclusive | undefined {
  if (action.essential === undefined) return undefined
  if ('callbacksAt' in action) return answer.body?.length > 0 ? undefined : inconclusive('no callback came')
  return isDone(answer) ? undefined : inconclusive(`${action.essential} was answered ${answer.status}`)
}

export const NOWHERE = 'https://merchant.example/mfano-calibrate'

/** Replaces names in braces: those of the account, and by `earlier` those of answers. A text that is one keeps its type. */
export function filledBy<Action>(
  action: Action,
  account: ProbeAccount,
  earlier: (at: number, path: string) => unknown,
): Action {
  const { amount, to, bankAccount = '', receiver = NOWHERE } = account
  const [bankCode, bankNumber] = bankAccount.split('/')
  const phone = (prefix: string) => to.find((one) => one.startsWith(prefix)) ?? ''
  const values: Readonly<Record<string, unknown>> = {
    ...account,
    receiver,
    bankCode,
    bankNumber,
    kenyanPhone: phone('254'),
    tanzanianPhone: phone('255'),
    amountWithMils: amount + 0.126,
    amountTzs: Math.max(1000, amount),
  }
  const valueNamed = (name: string) => {
    const [, at, path] = /^(\d+)\.(.+)$/.exec(name) ?? []
    return at === undefined || path === undefined ? values[name] : earlier(Number(at), path)
  }
  return JSON.parse(JSON.stringify(action), (_, value) => {
    if (typeof value !== 'string') return value
    const whole = /^\{([\w.]+)\}$/.exec(value)?.[1]
    return whole === undefined
      ? value.replaceAll(/\{([\w.]+)\}/g, (_, name) => String(valueNamed(name)))
      : valueNamed(whole)
  })
}

function valueIn(seen: SeenAnswer | undefined, path: string): unknown {
  const root = path.startsWith('records.') ? { records: recordsOf(seen) } : seen?.body
  return path.split('.').reduce((value, name) => value?.[name], root)
}

// Requests that several probes share. Equal requests are sent once, so sharing saves calls to the service.

export const NOBODY = '00000000-0000-4000-8000-0000000bad1d'
/** More than any wallet holds, and too large for the service to count. */
const IMPOSSIBLE = 9_000_000_000_000_000
/** More than any sandbox wallet holds, but small enough to count, so the amount itself is valid. */
export const FAR_ABOVE = 900_000_000_000

type More = Partial<ProbeRequest>

const asking = (method: string, path: string, more: More): ProbeRequest => ({
  method,
  path: path.startsWith('/api/') ? path : `/api/sandbox/v1${path}`,
  ...more,
})

export const get = (path: string, more: More = {}): ProbeRequest => asking('GET', path, more)
export const put = (path: string, more: More = {}): ProbeRequest => asking('PUT', path, more)
export const post = (path: string, body: object | string | undefined, more: More = {}): ProbeRequest =>
  asking('POST', path, { ...(body !== undefined && { body }), ...more })

export const again = (request: ProbeRequest, repeats = 1): ProbeRequest => ({ ...request, repeats })

export const text = 'Calibration'

const unknownOrganisation = { doom: 'unknown-organisation' } as const
export const fromNobody = { fromOrganisationId: NOBODY, toOrganisationId: '{companyId}', amount: FAR_ABOVE }

/** An allocation from an unknown organisation, so it is refused even if the rest is valid. */
export const allocating = (body: object | string = fromNobody, more: More = {}): ProbeRequest =>
  post('/allocations/new', body, { ...unknownOrganisation, ...more })

/** Another field than the amount is what is asked about, and the amount is refused in any case. */
export const impossible = (path: string, body: object = {}): ProbeRequest =>
  post(path, { amount: IMPOSSIBLE, ...body }, { doom: 'impossible-amount' })

export const impossibleAllocation = impossible('/allocations/new')

export const lists = {
  sendMoney: get('/send-money/all?companyId={companyId}'),
  till: get('/till/all?companyId={companyId}'),
  paybill: get('/paybill/all'),
  stk: get('/stk/all'),
  bankPayouts: get('/bank/payout/all'),
  bankCollections: get('/bank/collection/all'),
}
export const allLists = Object.values(lists)
export const subAccounts = get('/multiaccount/organisation/all')
export const breakdown = get('/multiaccount/wallet/total/breakdown')

/** `repeats` counts earlier logins of this run, so that each login is sent. */
export const login = (repeats = 0): ProbeRequest =>
  post(
    '/api/v1/get-token',
    { apiKey: '{apiKey}', apiSecret: '{apiSecret}' },
    { asker: 'nobody', logsIn: true, repeats },
  )

/** A small payment to the merchant's own phone, with the fields of `more`. Equal payments are made once. */
export const paying = (more: object = {}, how: More = {}): ProbeRequest =>
  post(
    '/send-money',
    {
      phoneNumber: '{kenyanPhone}',
      amount: '{amount}',
      remarks: text,
      occasion: text,
      callbackUrl: '{receiver}/paid',
      referenceId: 'mfano-{run}',
      ...more,
    },
    { essential: 'a payment', ...how },
  )

export const creating = (more: object = {}, how: More = {}): ProbeRequest =>
  post(
    '/checkout-sessions',
    {
      amount: '{amount}',
      currency: 'KES',
      description: text,
      successUrl: '{receiver}/success',
      cancelUrl: '{receiver}/cancel',
      paymentMethods: ['CARD', 'MPESA_STK'],
      ...more,
    },
    { essential: 'a session', ...how },
  )

export const session = (more: More = {}): ProbeRequest => get('/checkout-sessions/{0.id}', more)

export const readingTanzanian = (requestId: string): ProbeRequest =>
  get(`/api/v1/tz/spending/single?requestId=${requestId}`, { headers: { 'device-id': 'mfano-calibrate' } })
