import type { Attempt, Callback, SignatureState } from './model/callback.ts'
import type { CardOutcome, KeptCard } from './model/directory.ts'
import type { Due } from './model/due.ts'
import type { ResponseFault } from './model/faults.ts'
import type { InboxAnswer, InboxBehaviour, InboxMessage, StoredInboxBehaviour } from './model/inbox.ts'
import type { TestRun } from './model/journal.ts'
import type { PromptAnswer } from './model/kind.ts'
import type { Currency } from './model/money.ts'
import type {
  ApiUser,
  JsonObject,
  MomentBy,
  Organisation,
  Payment,
  PaymentKind,
  Subscription,
  TraceContext,
} from './model/payment.ts'
import type { ClockMode, InstantUs } from './model/time.ts'
import type { Scenario } from './scenario.ts'

export interface CommandMap {
  'open-payment': {
    input: {
      kind: PaymentKind
      organisationId: number
      counterpartyId?: number
      currency: Currency
      amountMinor: number
      /** The request as validated, amounts in major units. */
      request: JsonObject
      headers?: Readonly<Record<string, string>> | undefined
      outcome?: string | undefined
      referenceId?: string
      callbackUrl?: string
      trace?: TraceContext
      by?: 'operator'
    }
    result: { payment: Payment; replayed: boolean }
  }
  'step-payment': { input: { seq: number; event: string }; result: Payment | null }
  /** Refused when the state does not accept the event. */
  'signal-payment': { input: { uuid: string; event: string; by: MomentBy; with?: JsonObject }; result: Payment }
  /**
   * `phone` gets the prompt; by default the request's. `card`: masked, as it may be stored, with its bank's answer; by
   * default approved.
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
  'leave-session': { input: { uuid: string }; result: Payment }
  'answer-prompt': {
    input: { uuid: string; phone: string; answer: PromptAnswer; pin?: string | undefined }
    result: Payment
  }
  /**
   * Somebody looks at a prompt, so it does not time out before `untilUs`. Changes nothing once it was answered or
   * dismissed.
   */
  'hold-prompt': { input: { uuid: string; untilUs: InstantUs }; result: Payment }
  'resolve-payment': { input: { uuid: string; status: string; with?: JsonObject }; result: Payment }
  'poll-payment': { input: { seq: number }; result: Payment }
  'apply-response-fault': {
    input: {
      operation: { id: string; method: string; path: string }
      request: JsonObject
      headers?: Readonly<Record<string, string>> | undefined
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
  /** `number` counts the tokens of the organisation and goes into the token's claims. */
  'issue-token': { input: { organisationId: number }; result: { number: number } }
  'record-attempt': { input: { due: Due; attempt: Attempt; accepted: boolean }; result: Callback | null }
  'resume-callbacks': { input: object; result: { resumed: boolean } }
  redeliver: { input: { callbackId: number }; result: Callback }
  'receive-in-inbox': {
    input: {
      name: string
      headers: Record<string, string>
      body: string
      signature: SignatureState
      asked?: { query: string; settings: InboxBehaviour }
    }
    result: { message: InboxMessage; answer: Required<InboxAnswer> }
  }
  'set-inbox-behaviour': {
    input: { name: string; settings: Partial<InboxBehaviour>; replace: boolean }
    result: StoredInboxBehaviour
  }
  'clear-inbox': { input: { name: string }; result: { name: string } }
  /** From now on or from an instant. Time cannot go back, because what happened then is stored. */
  'set-clock': {
    input: { mode?: ClockMode | undefined; rate?: number | undefined; nowUs?: InstantUs | undefined }
    result: { nowUs: InstantUs }
  }
  'set-scenario': { input: { scenario: Scenario }; result: { name: string } }
  'clear-journal': { input: Record<never, never>; result: { cleared: true } }
  'begin-run': { input: { name: string; note?: string | undefined }; result: TestRun }
  'end-run': { input: { id: number }; result: TestRun }
  'remove-run': { input: { id: number }; result: { removed: number } }
}

export type CommandKind = keyof CommandMap
export type Command<K extends CommandKind = CommandKind> = { [C in K]: { command: C } & CommandMap[C]['input'] }[K]
export type CommandResult<K extends CommandKind> = CommandMap[K]['result']
