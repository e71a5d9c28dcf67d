/**
 * What the control plane answers, under names for those who write tests. Instants are ISO 8601 without a zone, in UTC;
 * amounts are in major units.
 */
import type { Answer, Body } from './control.ts'

/** A key pair, and the organisation that it acts as. */
export type Credentials = Answer<'POST', '/organisations/:uuid/credentials'>

/** A world as it was made. */
export type MadeWorld = Answer<'POST', '/worlds'>

/** How time goes in a world. */
export type ClockSetting = Body<'PATCH', '/clock'>

export type ClockState = Answer<'GET', '/clock'>

/** How far time was moved, and what it brought. */
export type Advanced = Answer<'POST', '/clock/advance'>

/** What settling brought. */
export type Settled = Answer<'POST', '/clock/settle'>

export type PaymentSummary = Answer<'GET', '/payments'>['payments'][number]

/** What a payment moves money for. */
export type PaymentKind = PaymentSummary['kind']

/** Everything about one payment. */
export type PaymentDetail = Answer<'GET', '/payments/:id'>

/** A chain of causes, in order of world time, and why it ends where it ends. */
export type Story = PaymentDetail['explanation']

/** Both sides of one movement of money. */
export type Transfer = PaymentDetail['transfers'][number]

/** What became of one rule when a request was decided. */
export type RuleTrace = PaymentDetail['trace'][number]

type AnyCallback = Answer<'GET', '/callbacks'>['callbacks'][number]
type AnyCallbackDetail = Answer<'GET', '/callbacks/:id'>

/** What a merchant is told. */
export type CallbackSummary<Told = AnyCallback['body']> = Omit<AnyCallback, 'body'> & { body: Told }

export type CallbackDetail<Told = AnyCallback['body']> = Omit<AnyCallbackDetail, 'body'> & { body: Told }

/** One try at telling it. */
export type Attempt = AnyCallbackDetail['tries'][number]

type AnyMessage = Answer<'GET', '/inbox/:name'>['messages'][number]

/** What an inbox took. */
export type InboxMessage<Told = unknown> = Omit<AnyMessage, 'body'> & { body: Told }

/** How an inbox answers. */
export type InboxBehaviour = Body<'PUT', '/inbox/:name'>

/** One request to the service and its answer, secrets masked. */
export type RequestEntry = Answer<'GET', '/requests'>['requests'][number]

export type Wallet = Answer<'GET', '/wallets'>['wallets'][number]

export type Organisation = Answer<'GET', '/organisations'>['organisations'][number]

/** What would happen to a request that nobody has sent, and why. */
export type Explanation = Answer<'POST', '/scenario/explain'>

/** What a question supposes about the world; what is left out is as it is. */
export type Supposed = Omit<Body<'POST', '/scenario/explain'>, 'kind' | 'operation' | 'request'>

/** What became of one fault. */
export type FaultTrace = NonNullable<Explanation['faults']['callback']>['trace'][number]

/** Which rules fired. */
export type Hits = Answer<'GET', '/scenario/hits'>

/** A payment or a request that almost met a rule or a fault. */
export type Nearest = NonNullable<Hits['neverFired'][number]['nearest']>

/** Something that happened in a world, with what it is about as it was then; null when that has been removed since. */
export type DomainEvent = NonNullable<Settled['happened']>[number]

/** A domain event in a stream. A gap tells that some were missed, and how to find out which. */
export type WorldEvent = ({ id: string } & DomainEvent) | { type: 'gap'; at: string; why: string; catchUp: string }

/** A saved world. */
export type Snapshot = Answer<'POST', '/snapshots'>
