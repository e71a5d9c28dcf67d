/** Every command that changes a world: its input and its result. */
import type { Attempt, Callback } from './model/callback.ts'
import type { CardOutcome, KeptCard } from './model/card.ts'
import type { Due } from './model/due.ts'
import type { ResponseFault } from './model/faults.ts'
import type { InboxMessage, StoredInboxBehaviour } from './model/inbox.ts'
import type { InboxAnswer, InboxBehaviour } from './model/inbox-behaviour.ts'
import type { MomentBy } from './model/moments.ts'
import type { Currency } from './model/money.ts'
import type { ApiUser, Subscription } from './model/organisation.ts'
import type { JsonObject, Organisation, Payment, PaymentKind } from './model/payment.ts'
import type { PromptAnswer } from './model/prompt.ts'
import type { SignatureState } from './model/signature.ts'
import type { TestRun } from './model/test-run.ts'
import type { ClockMode, InstantUs } from './model/time.ts'
import type { TraceContext } from './model/trace-context.ts'
import type { Scenario } from './scenario.ts'

/** Everything that can be asked of a world: what goes in, and what comes out. */
export interface CommandMap {
  /** A merchant or operator starts a payment. A scenario may refuse it; a repeated reference may replay an older one. */
  'open-payment': {
    input: {
      kind: PaymentKind
      organisationId: number
      counterpartyId?: number
      currency: Currency
      amountMinor: number
      /** The request as validated, amounts in major units. */
      request: JsonObject
      referenceId?: string
      callbackUrl?: string
      trace?: TraceContext
      /** Who wants it; `request` when left out. */
      by?: 'operator'
    }
    result: { payment: Payment; replayed: boolean }
  }
  /** Time: an event of a payment is due. Gives null when the payment has moved on and no longer waits for it. */
  'step-payment': { input: { seq: number; event: string }; result: Payment | null }
  /** An operator or a payer: an event by name. Refused when the state does not accept it. */
  'signal-payment': { input: { uuid: string; event: string; by: MomentBy; with?: JsonObject }; result: Payment }
  /**
   * A payer pays a checkout session. `phone`: where the prompt goes; the request's own when left out. `card`: as it may
   * be kept, and what its bank says; approved when left out.
   */
  'pay-session': {
    input: {
      uuid: string
      by: 'payer' | 'operator'
      method: string
      phone?: string
      card?: KeptCard & { outcome: CardOutcome }
    }
    result: Payment
  }
  /** The holder of a phone answers a prompt on it. Refused when there is none. */
  'answer-prompt': {
    input: { uuid: string; phone: string; answer: PromptAnswer; pin?: string | undefined }
    result: Payment
  }
  /**
   * Somebody looks at a prompt: nothing becomes of it by itself before `untilUs`. Changes nothing when it was answered,
   * or when its holder put it aside.
   */
  'hold-prompt': { input: { uuid: string; untilUs: InstantUs }; result: Payment }
  /** An operator: whatever legal event leads to this status. */
  'resolve-payment': { input: { uuid: string; status: string; with?: JsonObject }; result: Payment }
  /** A merchant reads a payment that waits to be read. Gives it as it is then. */
  'poll-payment': { input: { seq: number }; result: Payment }
  /** A request arrives at an operation that a fault watches. Gives what becomes of it, if anything. */
  'apply-response-fault': {
    input: {
      operation: { id: string; method: string; path: string }
      /** Path, query and body in one. */
      request: JsonObject
      /** Whose good token it brings. */
      caller: { organisationId: number; tokenIssuedAtUs: InstantUs } | null
    }
    result: ResponseFault | null
  }
  'fund-wallet': {
    input: { organisationId: number; currency: Currency; amountMinor: number }
    result: { transferId: number }
  }
  'fund-float': {
    input: { name: string; currency: Currency; amountMinor: number }
    result: { transferId: number }
  }
  'create-organisation': {
    input: {
      parentId: number
      name: string
      email: string
      phoneNumber: string
      user: Omit<ApiUser, 'organisationId'>
    }
    result: Organisation
  }
  'add-credential': {
    input: { organisationId: number; apiKey: string; secretSha256: string }
    result: { apiKey: string }
  }
  'set-collection-callback': { input: { organisationId: number; url: string | null }; result: Organisation }
  subscribe: { input: { organisationId: number }; result: Subscription }
  'set-subscription': { input: { organisationId: number; active: boolean }; result: Subscription }
  /** Counts a token of an organisation; its number goes into the claims. */
  'issue-token': { input: { organisationId: number }; result: { number: number } }
  /** The outcome of one delivery: retried, delivered or given up, by the scenario's policy. */
  'record-attempt': { input: { due: Due; attempt: Attempt; accepted: boolean }; result: Callback | null }
  /** An operator says where callbacks go that a file brought: to `from` as it is, or to `to`; all that are held without `from`. */
  'release-callbacks': { input: { from?: string | undefined; to?: string | undefined }; result: { released: number } }
  redeliver: { input: { callbackId: number }; result: Callback }
  'receive-in-inbox': {
    input: {
      name: string
      headers: Record<string, string>
      body: string
      signature: SignatureState
      /** What the address asks for by its query, in the place of the inbox's own behaviour. */
      asked?: { query: string; settings: InboxBehaviour }
    }
    result: { message: InboxMessage; answer: Required<InboxAnswer>; settings: InboxBehaviour }
  }
  'set-inbox-behaviour': {
    input: { name: string; settings: Partial<InboxBehaviour>; replace: boolean }
    result: StoredInboxBehaviour
  }
  /** Its messages and its behaviour. */
  'clear-inbox': { input: { name: string }; result: { name: string } }
  /** Changes how time goes, from now or from an instant. The past is closed: what happened then is stored. */
  'set-clock': {
    input: { mode?: ClockMode | undefined; rate?: number | undefined; nowUs?: InstantUs | undefined }
    result: { nowUs: InstantUs }
  }
  /** A scenario for new payments; those under way keep their plans. */
  'set-scenario': { input: { scenario: Scenario }; result: { name: string } }
  /** An operator has the hits of rules and faults counted anew. */
  'clear-hits': { input: Record<never, never>; result: { cleared: true } }
  /** An operator empties the journal. */
  'clear-journal': { input: Record<never, never>; result: { cleared: true } }
  /** An operator begins a run; the one that went on ends. */
  'begin-run': { input: { name: string; note?: string | undefined }; result: TestRun }
  /** An operator ends a run; nothing happens to one that has ended. */
  'end-run': { input: { id: number }; result: TestRun }
  /** An operator forgets a run, and nothing of what happened in it. */
  'remove-run': { input: { id: number }; result: { removed: number } }
}

export type CommandKind = keyof CommandMap
export type Command<K extends CommandKind = CommandKind> = { [C in K]: { command: C } & CommandMap[C]['input'] }[K]
export type CommandResult<K extends CommandKind> = CommandMap[K]['result']
