/**
 * Types of the control plane's answers, for people who write tests. Instants are ISO 8601 in UTC with `Z`; amounts are
 * in major units.
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

/** Differences between books and ledger. */
export type Verdict = ControlAnswer<'POST', '/reconcile'>

export type Wallet = ControlAnswer<'GET', '/wallets'>['wallets'][number]

export type Finding = Verdict['findings'][number]

/** A test run. */
export type ShownRun = ControlAnswer<'POST', '/runs'>

/** What was exercised, by dimension. */
export type Coverage = ControlAnswer<'GET', '/coverage'>

export type Organisation = ControlAnswer<'GET', '/organisations'>['organisations'][number]

/** A key pair and its organisation. */
export type Credentials = ControlAnswer<'POST', '/organisations/:uuid/credentials'>

/** A new world. */
export type MadeWorld = ControlAnswer<'POST', '/worlds'>

/** How time goes in a world. */
export type ClockSetting = ControlBody<'PATCH', '/clock'>

/** Causes in order of world time, and why the payment stopped. */
export type Story = PaymentDetail['explanation']

/** Both sides of a movement of money. */
export type Transfer = PaymentDetail['transfers'][number]

/** Why one rule did or did not decide. */
export type RuleTrace = PaymentDetail['trace'][number]

type AnyCallback = ControlAnswer<'GET', '/callbacks'>['callbacks'][number]
type AnyCallbackDetail = ControlAnswer<'GET', '/callbacks/:id'>
type AnyMessage = ControlAnswer<'GET', '/inbox/:name'>['messages'][number]

/** What a merchant is told. */
export type CallbackSummary<Told = AnyCallback['body']> = Omit<AnyCallback, 'body'> & { body: Told }

export type CallbackDetail<Told = AnyCallback['body']> = Omit<AnyCallbackDetail, 'body'> & { body: Told }

/** An attempt to send a callback. */
export type Attempt = AnyCallbackDetail['tries'][number]

/** What an inbox took. */
export type InboxMessage<Told = unknown> = Omit<AnyMessage, 'body'> & { body: Told }

/** How an inbox answers. */
export type InboxBehaviour = ControlBody<'PUT', '/inbox/:name'>

/** Suppositions about the world. What is left out is as it is. */
export type Supposed = Omit<ControlBody<'POST', '/scenario/explain'>, 'kind' | 'operation' | 'request'>

/** Why one fault did or did not hit. */
export type FaultTrace = NonNullable<Explanation['faults']['callback']>['trace'][number]

/** A payment or request that almost matched a rule or fault. */
export type Nearest = NonNullable<Hits['neverFired'][number]['nearest']>

/** Something that happened in a world, with what it is about as it was then; null when that has been removed since. */
export type DomainEvent = NonNullable<Settled['happened']>[number]

/** `gap`: some events were missed, and how to find out which. */
export type WorldEvent = ({ id: string } & DomainEvent) | { type: 'gap'; at: string; why: string; catchUp: string }

/** A saved world. */
export type Snapshot = ControlAnswer<'POST', '/snapshots'>

/** Reads only what mfano writes: one line of data for each event. */
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
