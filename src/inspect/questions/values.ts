/**
 * Values that conditions see. Fields are computed on demand. A missing text is "", a missing number 0, a missing
 * instant the start of 1970, so that comparisons never throw.
 */
import type { Core } from '../../core/core.ts'
import type { Callback } from '../../core/model/callback.ts'
import { LANE } from '../../core/model/due.ts'
import type { InboxMessage } from '../../core/model/inbox.ts'
import type { DomainEvent, JournalEntry } from '../../core/model/journal.ts'
import type { Fields } from '../../core/model/kind.ts'
import { toMajor } from '../../core/model/money.ts'
import type { Payment } from '../../core/model/payment.ts'
import type { InstantUs } from '../../core/model/time.ts'

const MOMENT = 'google.protobuf.Timestamp'

export const paymentFields = {
  uuid: 'string',
  kind: 'string',
  status: 'string',
  amount: 'double',
  currency: 'string',
  organisationId: 'string',
  referenceId: 'string',
  rule: 'string',
  callbackUrl: 'string',
  createdAt: MOMENT,
  updatedAt: MOMENT,
  request: 'dyn',
  details: 'dyn',
} as const satisfies Fields

export class PaymentValue {
  readonly #core: Core
  readonly #payment: Payment | undefined
  constructor({ core, payment }: { core: Core; payment: Payment | undefined }) {
    this.#core = core
    this.#payment = payment
  }
  get uuid() {
    return this.#payment?.uuid ?? ''
  }
  get kind() {
    return this.#payment?.kind ?? ''
  }
  get status() {
    return this.#payment?.status ?? ''
  }
  get amount() {
    return toMajor(this.#payment?.amountMinor ?? 0)
  }
  get currency() {
    return this.#payment?.currency ?? ''
  }
  get organisationId() {
    return this.#payment ? this.#core.store.organisations.byId(this.#payment.organisationId).uuid : ''
  }
  get referenceId() {
    return this.#payment?.referenceId ?? ''
  }
  get rule() {
    return this.#payment?.plan.rule ?? ''
  }
  get callbackUrl() {
    return this.#payment?.callbackUrl ?? ''
  }
  get createdAt() {
    return moment(this.#payment?.createdAtUs)
  }
  get updatedAt() {
    return moment(this.#payment?.updatedAtUs)
  }
  get request() {
    return this.#payment?.request ?? {}
  }
  get details() {
    return this.#payment?.details ?? {}
  }
}

export const callbackFields = {
  id: 'double',
  uid: 'string',
  topic: 'string',
  url: 'string',
  state: 'string',
  attempts: 'double',
  lastStatus: 'double',
  lastError: 'string',
  createdAt: MOMENT,
  settledAt: MOMENT,
  body: 'dyn',
} as const satisfies Fields

export class CallbackValue {
  readonly #core: Core
  readonly #callback: Callback | undefined
  #body: unknown
  constructor({ core, callback }: { core: Core; callback: Callback | undefined }) {
    this.#core = core
    this.#callback = callback
  }
  get id() {
    return this.#callback?.id ?? 0
  }
  get uid() {
    return this.#callback?.uid ?? ''
  }
  get topic() {
    return this.#callback?.topic ?? ''
  }
  get url() {
    return this.#callback?.url ?? ''
  }
  get state() {
    return this.#callback?.state ?? ''
  }
  get attempts() {
    return this.#callback?.attempts ?? 0
  }
  get lastStatus() {
    return this.#last()?.status ?? 0
  }
  get lastError() {
    return this.#last()?.error ?? ''
  }
  get createdAt() {
    return moment(this.#callback?.createdAtUs)
  }
  get settledAt() {
    return moment(this.#callback?.settledAtUs)
  }
  get body() {
    this.#body ??= read(this.#callback?.body)
    return this.#body
  }
  /** As of the moment when it was looked at, because attempts may follow. */
  #last() {
    const { id = 0, attempts = 0 } = this.#callback ?? {}
    return attempts === 0 ? undefined : this.#core.store.callbacks.attemptsOf(id)[attempts - 1]
  }
}

export const askedFields = {
  requestId: 'string',
  operation: 'string',
  method: 'string',
  path: 'string',
  query: 'dyn',
  headers: 'dyn',
  body: 'dyn',
  status: 'double',
  response: 'dyn',
  rule: 'string',
  organisationId: 'string',
  at: MOMENT,
  unread: 'list<string>',
  warnings: 'list<string>',
  fault: 'string',
  replayed: 'bool',
  assumed: 'list<string>',
} as const satisfies Fields

/**
 * `request`: a journal entry. `path` has no query, `unread` holds fields that nothing read, `assumed` assumptions that
 * decided.
 */
export class RequestValue {
  readonly #core: Core
  readonly #entry: JournalEntry | undefined
  #body: unknown
  #response: unknown
  constructor({ core, entry }: { core: Core; entry: JournalEntry | undefined }) {
    this.#core = core
    this.#entry = entry
  }
  get requestId() {
    return this.#entry?.requestId ?? ''
  }
  get operation() {
    return this.#entry?.operation ?? ''
  }
  get method() {
    return this.#entry?.method ?? ''
  }
  get path() {
    return this.#entry?.path.split('?', 1)[0] ?? ''
  }
  get query() {
    return Object.fromEntries(new URLSearchParams(this.#entry?.path.split('?')[1]))
  }
  get headers() {
    return this.#entry?.requestHeaders ?? {}
  }
  get body() {
    this.#body ??= read(this.#entry?.requestBody)
    return this.#body
  }
  get status() {
    return this.#entry?.status ?? 0
  }
  get response() {
    this.#response ??= read(this.#entry?.responseBody)
    return this.#response
  }
  get rule() {
    return this.#entry?.rule ?? ''
  }
  get organisationId() {
    const id = this.#entry?.organisationId ?? null
    return id === null ? '' : this.#core.store.organisations.byId(id).uuid
  }
  get at() {
    return moment(this.#entry?.atUs)
  }
  get unread() {
    return this.#entry?.notes?.unread ?? []
  }
  get warnings() {
    return this.#entry?.notes?.warnings ?? []
  }
  get fault() {
    return this.#entry?.notes?.fault ?? ''
  }
  get assumed() {
    return this.#entry?.notes?.assumed ?? []
  }
  get replayed() {
    return this.#entry?.notes?.replayed ?? false
  }
}

export const messageFields = {
  id: 'double',
  name: 'string',
  headers: 'dyn',
  body: 'dyn',
  answered: 'string',
  signature: 'string',
  at: MOMENT,
} as const satisfies Fields

export class MessageValue {
  readonly #message: InboxMessage | undefined
  #body: unknown
  constructor({ message }: { message: InboxMessage | undefined }) {
    this.#message = message
  }
  get id() {
    return this.#message?.id ?? 0
  }
  get name() {
    return this.#message?.name ?? ''
  }
  get headers() {
    return this.#message?.headers ?? {}
  }
  get body() {
    this.#body ??= read(this.#message?.body)
    return this.#body
  }
  get answered() {
    return this.#message?.answered ?? ''
  }
  get signature() {
    return this.#message?.signature ?? ''
  }
  get at() {
    return moment(this.#message?.atUs)
  }
}

export const eventFields = {
  type: 'string',
  from: 'string',
  to: 'string',
  by: 'string',
  at: MOMENT,
} as const satisfies Fields

export class EventValue {
  readonly #domainEvent: DomainEvent | undefined
  constructor({ domainEvent }: { domainEvent: DomainEvent | undefined }) {
    this.#domainEvent = domainEvent
  }
  get type() {
    return this.#domainEvent?.type ?? ''
  }
  get from() {
    return this.#domainEvent?.type === 'payment' ? (this.#domainEvent.from ?? '') : ''
  }
  get to() {
    if (this.#domainEvent?.type === 'payment') return this.#domainEvent.to
    return this.#domainEvent?.type === 'callback' ? this.#domainEvent.state : ''
  }
  get by() {
    return this.#domainEvent?.type === 'payment' ? this.#domainEvent.by : ''
  }
  get at() {
    return moment(this.#domainEvent?.atUs)
  }
}

export const pendingFields = { payments: 'double', callbacks: 'double' } as const satisfies Fields

export class PendingValue {
  readonly #core: Core
  constructor({ core }: { core: Core }) {
    this.#core = core
  }
  get payments() {
    return this.#core.store.agenda.subjects(LANE.steps)
  }
  get callbacks() {
    return this.#core.store.agenda.subjects(LANE.deliveries)
  }
}

function moment(atUs: InstantUs | null | undefined): Date {
  return new Date(Math.floor((atUs ?? 0) / 1000))
}

function read(body: string | null | undefined): unknown {
  if (body === null || body === undefined) return ''
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}
