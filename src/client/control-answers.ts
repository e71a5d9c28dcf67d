/**
 * What the control plane answers, under names for those who write tests. Instants are ISO 8601 in UTC, with a `Z`;
 * amounts are in major units.
 */
import type { ControlAnswer, ControlBody } from './control.ts'

/** What a payment is in a list, and all about one. */
export type PaymentSummary = ControlAnswer<'GET', '/payments'>['payments'][number]
export type PaymentDetail = ControlAnswer<'GET', '/payments/:id'>

/** An entry of the journal: a request and its answer, as they came and went. */
export type RequestEntry = ControlAnswer<'GET', '/requests'>['requests'][number]

/** Simulated time, and how it goes. */
export type ClockState = ControlAnswer<'GET', '/clock'>

/** What an advance answers, and what settling answers. */
export type Advanced = ControlAnswer<'POST', '/clock/advance'>
export type Settled = ControlAnswer<'POST', '/clock/settle'>

/** What would be decided about a request, and why. */
export type Explanation = ControlAnswer<'POST', '/scenario/explain'>

/** What an address is worth as a callbackUrl. */
export type Examination = ControlAnswer<'POST', '/doctor'>

/** Which rules and faults fired, and which never did. */
export type Hits = ControlAnswer<'GET', '/scenario/hits'>

/** Where books and ledger differ. */
export type Verdict = ControlAnswer<'POST', '/reconcile'>

export type Wallet = ControlAnswer<'GET', '/wallets'>['wallets'][number]

export type Finding = Verdict['findings'][number]

/** What was tested under a name. */
export type ShownRun = ControlAnswer<'POST', '/runs'>

/** What was exercised, by dimension. */
export type Coverage = ControlAnswer<'GET', '/coverage'>

export type Organisation = ControlAnswer<'GET', '/organisations'>['organisations'][number]

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

type AnyCallback = ControlAnswer<'GET', '/callbacks'>['callbacks'][number]
type AnyCallbackDetail = ControlAnswer<'GET', '/callbacks/:id'>
type AnyMessage = ControlAnswer<'GET', '/inbox/:name'>['messages'][number]

/** What a merchant is told. */
export type CallbackSummary<Told = AnyCallback['body']> = Omit<AnyCallback, 'body'> & { body: Told }

export type CallbackDetail<Told = AnyCallback['body']> = Omit<AnyCallbackDetail, 'body'> & { body: Told }

/** One try at telling it. */
export type Attempt = AnyCallbackDetail['tries'][number]

/** What an inbox took. */
export type InboxMessage<Told = unknown> = Omit<AnyMessage, 'body'> & { body: Told }

/** How an inbox answers. */
export type InboxBehaviour = ControlBody<'PUT', '/inbox/:name'>

/** What a question supposes about the world; what is left out is as it is. */
export type Supposed = Omit<ControlBody<'POST', '/scenario/explain'>, 'kind' | 'operation' | 'request'>

/** What became of one fault. */
export type FaultTrace = NonNullable<Explanation['faults']['callback']>['trace'][number]

/** A payment or a request that almost met a rule or a fault. */
export type Nearest = NonNullable<Hits['neverFired'][number]['nearest']>

/** Something that happened in a world, with what it is about as it was then; null when that has been removed since. */
export type DomainEvent = NonNullable<Settled['happened']>[number]

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
