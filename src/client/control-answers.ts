/**
 * Types of the control plane's answers, for people who write tests. Instants are ISO 8601 in UTC with `Z`; amounts are
 * in major units.
 */
import { ANSWER_MAX_BYTES, TooLong } from './bounded.ts'
import type { ControlAnswer, ControlBody } from './control.ts'

/** One payment in a list, and one payment with all details. */
export type PaymentSummary = ControlAnswer<'GET', '/payments'>['payments'][number]
export type PaymentDetail = ControlAnswer<'GET', '/payments/:id'>

export type RequestEntry = ControlAnswer<'GET', '/requests'>['requests'][number]

export type ClockState = ControlAnswer<'GET', '/clock'>

export type Advanced = ControlAnswer<'POST', '/clock/advance'>
export type Settled = ControlAnswer<'POST', '/clock/settle'>

export type Explanation = ControlAnswer<'POST', '/scenario/explain'>

export type Examination = ControlAnswer<'POST', '/doctor'>

export type Hits = ControlAnswer<'GET', '/scenario/hits'>

export type Verdict = ControlAnswer<'POST', '/reconcile'>

export type Wallet = ControlAnswer<'GET', '/wallets'>['wallets'][number]

export type Finding = Verdict['findings'][number]

export type ShownRun = ControlAnswer<'POST', '/runs'>

export type Coverage = ControlAnswer<'GET', '/coverage'>

export type Organisation = ControlAnswer<'GET', '/organisations'>['organisations'][number]

export type Credentials = ControlAnswer<'POST', '/organisations/:uuid/credentials'>

export type MadeWorld = ControlAnswer<'POST', '/worlds'>

export type ClockSetting = ControlBody<'PATCH', '/clock'>

export type Story = PaymentDetail['explanation']

export type Transfer = PaymentDetail['transfers'][number]

/** Why one rule decided, or why it did not. */
export type RuleTrace = PaymentDetail['trace'][number]

type AnyCallback = ControlAnswer<'GET', '/callbacks'>['callbacks'][number]
type AnyCallbackDetail = ControlAnswer<'GET', '/callbacks/:id'>
type AnyMessage = ControlAnswer<'GET', '/inbox/:name'>['messages'][number]

/** The notification that a merchant gets. */
export type CallbackSummary<Told = AnyCallback['body']> = Omit<AnyCallback, 'body'> & { body: Told }

export type CallbackDetail<Told = AnyCallback['body']> = Omit<AnyCallbackDetail, 'body'> & { body: Told }

/** An attempt to send a callback. */
export type Attempt = AnyCallbackDetail['tries'][number]

export type InboxMessage<Told = unknown> = Omit<AnyMessage, 'body'> & { body: Told }

export type InboxBehaviour = ControlBody<'PUT', '/inbox/:name'>

/** Suppositions about the world. Whatever is left out stays as it is. */
export type Supposed = Omit<ControlBody<'POST', '/scenario/explain'>, 'kind' | 'operation' | 'request'>

/** Why one fault applied, or why it did not. */
export type FaultTrace = NonNullable<Explanation['faults']['callback']>['trace'][number]

/** A payment or request that almost matched a rule or fault. */
export type Nearest = NonNullable<Hits['neverFired'][number]['nearest']>

/** An event in a world, with its subject as it was then. The subject is null if it has been removed since. */
export type DomainEvent = NonNullable<Settled['happened']>[number]

/** `gap`: some events were missed; `why` says how to find out which. */
export type WorldEvent = ({ id: string } & DomainEvent) | { type: 'gap'; at: string; why: string; catchUp: string }

export type Snapshot = ControlAnswer<'POST', '/snapshots'>

export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<WorldEvent, void> {
  for await (const { data } of sentEvents(body)) yield JSON.parse(data)
}

/** Expects one line of data for each event, because mfano writes nothing else. `heard` is called for every part, comments included. */
export async function* sentEvents(
  body: ReadableStream<Uint8Array>,
  heard: () => void = () => {},
): AsyncGenerator<{ event: string | undefined; data: string }, void> {
  let text = ''
  heard()
  for await (const part of body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)) {
    heard()
    const events = (text + part).split('\n\n')
    text = events.pop() ?? ''
    if (text.length > ANSWER_MAX_BYTES) throw new TooLong(ANSWER_MAX_BYTES)
    for (const one of events) {
      const [, event, data] = /^(?:event: (.*)\n)?data: (.*)$/m.exec(one) ?? []
      if (data !== undefined) yield { event, data }
    }
  }
}
