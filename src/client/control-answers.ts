/**
 * What the control plane answers, under names for those who write tests. Instants are ISO 8601 in UTC, with a `Z`;
 * amounts are in major units.
 */
import type { FindingShown } from '../inspect/finding.ts'
import type {
  CallbackSummary as AnyCallback,
  CallbackDetail as AnyCallbackDetail,
  InboxMessageShown,
  PaymentSummary,
  PresentedDomainEvent,
  RequestEntry,
} from '../inspect/present.ts'
import type {
  Advanced,
  ClockState,
  Examination,
  Explanation,
  OrganisationShown,
  PaymentDetail,
  Settled,
} from '../server/answer-names.ts'
import type { ControlAnswer, ControlBody } from './control.ts'

// Those that a presenter makes keep what is said of their fields there.
export type { Advanced, ClockState, Examination, Explanation, PaymentDetail, PaymentSummary, RequestEntry, Settled }

/** Which rules and faults fired, and which never did. */
export type Hits = ControlAnswer<'GET', '/scenario/hits'>

/** Where books and ledger differ. */
export type Verdict = ControlAnswer<'POST', '/reconcile'>

export type Wallet = ControlAnswer<'GET', '/wallets'>['wallets'][number]

export type Finding = FindingShown

/** What was tested under a name. */
export type ShownRun = ControlAnswer<'POST', '/runs'>

/** What was exercised, by dimension. */
export type Coverage = ControlAnswer<'GET', '/coverage'>

export type Organisation = OrganisationShown

/** A key pair, and the organisation that it acts as. */
export type Credentials = ControlAnswer<'POST', '/organisations/:uuid/credentials'>

/** A world as it was made. */
export type MadeWorld = ControlAnswer<'POST', '/worlds'>

/** How time goes in a world. */
export type ClockSetting = ControlBody<'PATCH', '/clock'>

/** A chain of causes, in order of world time, and why it ends where it ends. */
export type Story = PaymentDetail['explanation']

/** Both sides of one movement of money. */
export type Transfer = PaymentDetail['transfers'][number]

/** What became of one rule when a request was decided. */
export type RuleTrace = PaymentDetail['trace'][number]

/** What a merchant is told. */
export type CallbackSummary<Told = AnyCallback['body']> = Omit<AnyCallback, 'body'> & { body: Told }

export type CallbackDetail<Told = AnyCallback['body']> = Omit<AnyCallbackDetail, 'body'> & { body: Told }

/** One try at telling it. */
export type Attempt = AnyCallbackDetail['tries'][number]

/** What an inbox took. */
export type InboxMessage<Told = unknown> = Omit<InboxMessageShown, 'body'> & { body: Told }

/** How an inbox answers. */
export type InboxBehaviour = ControlBody<'PUT', '/inbox/:name'>

/** What a question supposes about the world; what is left out is as it is. */
export type Supposed = Omit<ControlBody<'POST', '/scenario/explain'>, 'kind' | 'operation' | 'request'>

/** What became of one fault. */
export type FaultTrace = NonNullable<Explanation['faults']['callback']>['trace'][number]

/** A payment or a request that almost met a rule or a fault. */
export type Nearest = NonNullable<Hits['neverFired'][number]['nearest']>

/** Something that happened in a world, with what it is about as it was then; null when that has been removed since. */
export type DomainEvent = PresentedDomainEvent

/** A domain event in a stream. A gap tells that some were missed, and how to find out which. */
export type WorldEvent = ({ id: string } & DomainEvent) | { type: 'gap'; at: string; why: string; catchUp: string }

/** A saved world. */
export type Snapshot = ControlAnswer<'POST', '/snapshots'>

/** Server-sent events as mfano writes them: one line of data each. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<WorldEvent, void> {
  let text = ''
  for await (const part of body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)) {
    const events = (text + part).split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (data !== undefined) yield JSON.parse(data)
    }
  }
}
