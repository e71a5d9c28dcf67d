/** What the control plane answers, as far as tests look at it. Instants are ISO 8601 without a zone, in UTC; amounts are in major units. */

/** A key pair, and the organisation that it acts as. */
export interface Credentials {
  apiKey: string
  apiSecret: string
  companyId: string
}

/** How time goes in a world. */
export interface ClockSetting {
  /** `frozen` moves only when told, `scaled` goes `rate` times as fast, `realtime` is like a wall clock. */
  mode?: 'realtime' | 'scaled' | 'frozen'
  /** World seconds per real second, above 0. */
  rate?: number
}

export interface ClockState {
  mode: 'realtime' | 'scaled' | 'frozen'
  /** 0 while frozen. */
  rate: number
  now: string
  /** When something happens next by itself; null: never. */
  nextDue: string | null
}

/** How far time was moved, and what it brought. */
export interface Advanced {
  now: string
  /** Due events that were gone through. */
  steps: number
  /** Attempts to deliver callbacks. */
  callbacks: { delivered: number; failed: number }
  /** Why it went no further, such as `nothing is pending` or `the breakpoint holds`. */
  ended: string
}

export interface PaymentSummary {
  uuid: string
  /** What it moves money for, such as `till`. */
  kind: string
  /** Counted per kind. */
  id: number
  status: string
  amount: number
  currency: string
  organisationId: string
  referenceId: string | null
  /** The scenario's rule that decided. */
  rule: string
  createdAt: string
  updatedAt: string
}

/** Everything about one payment. */
export interface PaymentDetail extends PaymentSummary {
  /** As the service's own read gives it; null for kinds that it has no record of. */
  record: Record<string, unknown> | null
  request: Record<string, unknown>
  /** What the scenario decided for it. */
  plan: Record<string, unknown> & { after: string; end: string }
  /** Each rule up to the one that decided, and why it did not. */
  trace: RuleTrace[]
  timeline: {
    happened: { at: string; event: string; status: string; by: string }[]
    due: { at: string; event: string }[]
  }
  /** What may happen to it now. */
  possible: { event: string; leadsTo: string }[]
  transfers: Transfer[]
  callbacks: CallbackDetail[]
  /** Why it is where it is. */
  explanation: Story
}

/** A chain of causes, in order of world time, and why it ends where it ends. */
export interface Story {
  /** From the request to what the receiver answered. Each station has data of its own beside the sentence. */
  story: ({ at: string; station: string; text: string } & Record<string, unknown>)[]
  stopped: {
    state: string
    waitsFor: 'nothing' | 'time' | 'reads' | 'float' | 'payer' | 'operator' | 'receiver'
    why: string
    /** What moves it on. */
    next: string[]
    dueAt: string | null
  }
}

/** Both sides of one movement of money. */
export interface Transfer {
  id: number
  kind: string
  debit: string | undefined
  credit: string | undefined
  amount: number
  state: string
  createdAt: string
  settledAt: string | null
}

/** What a merchant is told. */
export interface CallbackSummary<Body = Record<string, unknown>> {
  id: number
  /** Stable over attempts. */
  uid: string
  /** The kind of payment that it tells of. */
  topic: string
  /** The payment's uuid. */
  payment: string | null
  url: string
  state: 'pending' | 'held' | 'delivered' | 'failed' | 'dropped'
  attempts: number
  createdAt: string
  settledAt: string | null
  nextAttemptAt: string | null
  /** What goes wrong with it on purpose. */
  fault: { rule: string; does: string } | null
  body: Body
}

export interface CallbackDetail<Body = Record<string, unknown>> extends CallbackSummary<Body> {
  tries: Attempt[]
}

/** One try at telling it. */
export interface Attempt {
  number: number
  sentAt: string
  /** Real milliseconds. */
  tookMs: number
  /** Where it really went. */
  url: string
  headers: Record<string, string>
  /** The receiver's answer; null when there was none. */
  status: number | null
  responseBody: string | null
  /** Why it did not count; null when it did. */
  error: string | null
  /** What is behind that and what to do, or what is odd although it counted. */
  diagnosis: { code: string; what: string; why: string; todo: string } | null
}

/** What an inbox took. */
export interface InboxMessage<Body = unknown> {
  id: number
  at: string
  headers: Record<string, string>
  body: Body
  /** What it was answered: a status, `hang`, `close` or `reset`, perhaps with a delay; null: by an older mfano. */
  answered: string | null
  /** What its signature was worth when it came. */
  signature: 'valid' | 'none' | 'incomplete' | 'stale' | 'old-secret' | 'wrong' | null
}

/** How an inbox answers. */
export interface InboxBehaviour {
  /**
   * `500,500,200`, or a list: one for each message in turn, the last for all that come after. A status from 200 to 599,
   * `hang`, `close` or `reset`, each perhaps with a delay of its own, as in `200@3s`.
   */
  answers?: string | readonly (string | number)[]
  /** Real time before each answer, such as `300ms`; 60s at most. */
  delay?: string
  headers?: Readonly<Record<string, string>>
  /** A text goes as it is, anything else as JSON. */
  body?: unknown
}

/** One request to the service and its answer, secrets masked. */
export interface RequestEntry {
  requestId: string
  at: string
  /** The operation's name in the contract; null where there is none. */
  operation: string | null
  method: string
  path: string
  organisationId: string | null
  request: { headers: Record<string, string>; body: unknown }
  status: number
  response: unknown
  rule: string | null
  /** The uuid of the payment that it made or answered for. */
  payment: string | null
  /** Fields of the request that nothing read. */
  unreadFields: string[]
  warnings: string[]
  /** What a rule or a fault did to the answer on its way. */
  fault: string | null
  /** An earlier request with the same reference was answered again. */
  replayed: boolean
}

export interface Wallet {
  organisationId: string
  currency: string
  balance: number
  /** Held for payouts that are under way. */
  reserved: number
  incoming: number
  /** What can be spent now. */
  available: number
}

export interface Organisation {
  uuid: string
  name: string
  phoneNumber: string
  email: string
  uniqueReference: string
  environment: string | null
  collectionCallbackUrl: string | null
  /** The uuid of its parent. */
  parent: string | null
  apiKeys: string[]
  users: unknown[]
  createdAt: string
}

/** What would happen to a request that nobody has sent, and why. */
export interface Explanation {
  /** Null when a fault turns the request away before any rule is asked. */
  rule: string | null
  refuse?: { status: number; code: string; message: string | null; details: string | null }
  plan?: Record<string, unknown> & { after: string; end: string }
  /** The wallet does not hold enough, so it is answered 402 INSUFFICIENT_FUNDS. */
  short: { available: number; needed: number } | null
  trace: RuleTrace[]
  /** What goes wrong with the answer to the request, and with the callbacks of its payment. */
  faults: {
    answer: {
      operation: string
      met: string | null
      does: string | null
      executed: boolean
      trace: FaultTrace[]
    } | null
    callback: { met: string | null; trace: FaultTrace[] } | null
  }
  /** Fields of the request that no condition can read. */
  unread: string[]
  /** Why such a request comes to nothing here: its operation is off. */
  off: string | null
}

/** What a question supposes about the world; what is left out is as it is. */
export interface Supposed {
  organisationId?: string
  /** It is the n-th of the same requests, each right behind the one before. */
  nth?: number
  /** World time. */
  at?: string
  /** What the wallet can spend. */
  wallet?: number
  /** Earlier payments of the kind, with the party that the request names. */
  history?: { succeeded?: number; failed?: number; pending?: number; paidToday?: number }
}

/** What became of one fault. */
export interface FaultTrace {
  fault: string
  outcome:
    | 'met'
    | 'condition false'
    | 'condition failed'
    | 'chance missed'
    | 'not its turn'
    | 'let through'
    | 'cannot happen'
    | 'not asked'
  why: string
}

/** What became of one rule when a request was decided. */
export interface RuleTrace {
  rule: string
  outcome: 'decided' | 'condition false' | 'condition failed' | 'chance missed' | 'not its turn' | 'not asked'
  why: string
}

/** Which rules fired. */
export interface Hits {
  scenario: string
  rules: {
    rule: string
    hits: number
    on: string[]
    when: string | null
    file: string
    line: number
    inherited: boolean
  }[]
  faults: {
    fault: string
    hits: number
    on: string[]
    when: string | null
    file: string
    line: number
    inherited: boolean
  }[]
  /** The scenario's own rules and faults that never did, and what came nearest. */
  neverFired: {
    rule: string
    what: 'rule' | 'fault' | 'callback fault'
    file: string
    line: number
    nearest: Nearest | null
    why: string
  }[]
}

/** A payment or a request that almost met a rule or a fault. */
export interface Nearest {
  payment?: string
  requestId?: string
  kind?: string
  /** Of a request that is shown for itself: `POST /api/v1/get-token`. */
  operation?: string
  at: string
  request: Record<string, unknown>
  decidedBy: string | null
  /** Parts of the rule's condition that held, and that did not. */
  held: string[]
  missed: string[]
}

/** Something that happened in a world, with what it is about as it was then; null when that has been removed since. */
export type DomainEvent = { at: string } & (
  | { type: 'payment'; payment: PaymentSummary | null; from: string | null; to: string; by: string }
  | {
      type: 'callback'
      callback: CallbackSummary | null
      attempt: Pick<Attempt, 'number' | 'status' | 'error' | 'tookMs'> | null
    }
  | { type: 'request'; request: Pick<RequestEntry, 'requestId' | 'operation' | 'method' | 'path' | 'status' | 'rule'> }
  | { type: 'inbox'; inbox: string; message: InboxMessage | null }
  | { type: 'clock'; clock: { mode: ClockState['mode']; rate: number; now: string }; from: string }
  | { type: 'scenario'; scenario: string }
  | { type: 'wallet'; wallet: Pick<Wallet, 'organisationId' | 'currency' | 'available'>; amount: number }
)

/** A domain event in a stream. A gap tells that some were missed, and how to find out which. */
export type WorldEvent = ({ id: string } & DomainEvent) | { type: 'gap'; at: string; why: string; catchUp: string }

/** What settling brought. */
export interface Settled extends Advanced {
  from: string
  /** For the breakpoint, when there was one: what it held for, and otherwise what came nearest. */
  matched?: DomainEvent | null
  nearest?: (DomainEvent & { why: string }) | null
  /** In order of world time: the first thousand; `counts` counts all of it by type. */
  happened?: DomainEvent[]
  counts?: Partial<Record<DomainEvent['type'], number>>
  truncated?: boolean
  /** What is due still, and why it waits. */
  pending: { at: string; type: string; payment: string | null; callback: number | null; why: string }[]
  pendingTotal: number
  /** Payments that no passing of time ends. */
  neverEnding: { payment: string; status: string; why: string }[]
}

/** A saved world. */
export interface Snapshot {
  name: string
  world: string
  note: string | null
  /** World time when it was saved. */
  now: string
  scenario: string
  seed: number
  bytes: number
}
