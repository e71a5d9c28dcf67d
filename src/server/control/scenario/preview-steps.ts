/** Turns the events of a copied world into steps of a sequence. */

import type { Core, DecisionTrace } from '../../../core/core.ts'
import { openStates } from '../../../core/lifecycle.ts'
import type { DomainEvent, PaymentDomainEvent } from '../../../core/model/domain-event.ts'
import { LANE } from '../../../core/model/due.ts'
import type { ResponseFault } from '../../../core/model/faults.ts'
import { toMajor } from '../../../core/model/money.ts'
import { must } from '../../../core/model/must.ts'
import type { Payment } from '../../../core/model/payment.ts'
import type { InstantUs } from '../../../core/model/time.ts'
import type { Transfer } from '../../../core/model/transfer.ts'
import { describe, joined } from '../../../http/response-fault.ts'
import { CallbackSteps, type PreviewStep, type SequenceParty } from './callback-steps.ts'

export interface PreviewRecording {
  events: DomainEvent[]
  trace: DecisionTrace
  payment: Payment | undefined
  answeredAt: number
  polled: Set<DomainEvent>
  /** Index of the first event that follows from a top-up of the float. */
  topUpAt: number | undefined
}

/**
 * In order of simulated time. `certain` holds the attempts of each callback that happen whatever the receiver answers.
 */
export function stepsOf(
  core: Core,
  recording: PreviewRecording,
  first: PreviewStep,
): { steps: PreviewStep[]; certain: ReadonlyMap<number, number> } {
  const builder = new StepBuilder(core, recording, first)
  return { steps: builder.build(), certain: builder.callbacks.certain }
}

/** Describes an answer that a fault changes. A replaced answer is described by the fault alone. */
export function answerInstead(fault: ResponseFault, text: string): string {
  return fault.answer === undefined && fault.executed ? `${text}; ${describe(fault, true)}` : describe(fault, true)
}

class StepBuilder {
  readonly callbacks: CallbackSteps
  readonly #core: Core
  readonly #recording: PreviewRecording
  readonly #first: PreviewStep
  readonly #steps: PreviewStep[] = []
  /** Two payments if the request is executed twice. */
  readonly #seqs: readonly number[]

  constructor(core: Core, recording: PreviewRecording, first: PreviewStep) {
    this.#core = core
    this.#recording = recording
    this.#first = first
    const { payment, events } = recording
    this.#seqs = payment ? [payment.seq, ...(payment.plan.twice ? [payment.seq + 1] : [])] : []
    this.callbacks = new CallbackSteps(core, events, this.#seqs)
  }

  build(): PreviewStep[] {
    const { events, payment, answeredAt, topUpAt = events.length } = this.#recording
    this.#steps.push(this.#first)
    const early = payment?.plan.callback?.early === true && payment.plan.afterUs === 0
    const at = early ? answeredAt - 1 : events.findIndex(({ type }) => type === 'request')
    const before = new Set<number>()
    for (const [i, event] of events.entries()) {
      const known = this.#steps.length
      if (event.type === 'payment') this.#payment(event)
      else if (event.type === 'callback') {
        const step = this.callbacks.step(event)
        if (step) this.#steps.push(step)
        if (i < topUpAt) before.add(event.id)
      }
      // What had begun before the top-up goes on without it.
      const goesOn = event.type === 'callback' && before.has(event.id)
      if (i >= topUpAt && !goesOn)
        for (const step of this.#steps.slice(known))
          step.only ??= `the float "${payment?.plan.float}" is topped up at once`
      if (i === at && this.#first.from === 'merchant') this.#answer()
    }
    if (!payment && this.#first.from === 'rail') this.#answer()
    this.#rest()
    return this.#steps
  }

  #answer(): void {
    const { trace, payment, events } = this.#recording
    const request = events.find(({ type }) => type === 'request')
    const status = request?.type === 'request' ? request.status : 201
    const planned = payment?.plan.answer && { by: payment.plan.rule, executed: true, answer: payment.plan.answer }
    const fault = joined(trace.fault?.fault, planned)
    const text = payment ? `${status}, Mfano-Rule: ${payment.plan.rule}` : this.#refused()
    this.#push(this.#first.atUs, 'mfano', this.#first.from, fault ? answerInstead(fault, text) : text)
    if (payment?.plan.untilFunded && this.#recording.topUpAt !== undefined)
      this.#note(this.#first.atUs, `waits until the float "${payment.plan.float}" holds the amount`)
  }

  #refused(): string {
    const { refusal, payment: decided } = this.#recording.trace
    if (!refusal) return 'nothing is made'
    const { status, code, rule, details } = refusal
    if (rule !== undefined) return `${status} ${code}, nothing is made`
    if (code !== 'INSUFFICIENT_FUNDS' || !decided) return `${status} ${code}, ${details}; nothing is made`
    const { organisationId, currency } = decided.input
    const available = toMajor(this.#core.ledger.available(organisationId, currency))
    return `${status} ${code}, the wallet holds ${available}; nothing is made`
  }

  #payment(event: DomainEvent & PaymentDomainEvent): void {
    if (!this.#seqs.includes(event.seq)) return
    const second = event.seq !== this.#seqs[0]
    if (event.from !== null) this.#transition(event, second ? 'second payment: ' : '')
    else if (second) this.#note(event.atUs, 'makes a second payment')
    for (const what of this.#movements(event)) this.#note(event.atUs, what)
    const { payment } = this.#recording
    const refused = payment?.history.find(({ event: name }) => name === 'twice')
    if (event.from === null && refused) this.#note(event.atUs, `a second payment is refused: ${refused.detail}`)
  }

  #transition(event: DomainEvent & PaymentDomainEvent, prefix: string): void {
    const { plan, history, details } = must(this.#core.store.payments.bySeq(event.seq))
    const moment = history.find(({ atUs }) => atUs === event.updatedAtUs)
    const name = moment?.event ?? ''
    const sets = Object.entries((name === 'revise' ? plan.revise?.with : plan.with) ?? {})
    const set = sets.filter(([field, value]) => details[field] === value && openState(event.to) === undefined)
    const shown = set.length > 0 ? ` (${set.map(([field, value]) => `${field} ${String(value)}`).join(', ')})` : ''
    const polled = this.#recording.polled.has(event)
    this.#push(
      event.atUs,
      polled ? 'merchant' : 'rail',
      'mfano',
      `${prefix}${polled ? `reads it, and read ${plan.untilPoll} ends it` : name}: ${event.to}${shown}`,
      name === 'expire' ? 'nobody pays on the page' : undefined,
    )
  }

  #movements({ seq, updatedAtUs }: PaymentDomainEvent): string[] {
    const words = this.#core.ledger.transfersOf(seq).flatMap((transfer) => {
      if (transfer.createdAtUs === updatedAtUs) return [this.#begun(transfer)]
      if (transfer.settledAtUs !== updatedAtUs) return []
      return [transfer.state === 'voided' ? 'lets the reserved amount go' : 'the money moves']
    })
    return [...new Set(words)]
  }

  #begun({ kind, createdAtUs, settledAtUs, debitAccount, creditAccount }: Transfer): string {
    if (settledAtUs !== createdAtUs) return 'reserves the amount'
    if (kind === 'reversal') return 'takes the money back'
    const isWallet = (id: number) =>
      this.#core.ledger.accounts().find((account) => account.id === id)?.kind === 'wallet'
    if (!isWallet(debitAccount)) return 'the money comes in'
    return isWallet(creditAccount) ? 'moves the money between the wallets' : 'the money moves'
  }

  #rest(): void {
    const { payment } = this.#recording
    if (!payment || openState(payment.status) === undefined) return
    if (this.#core.store.agenda.of(LANE.steps, payment.seq).length > 0) return
    const atUs = this.#steps.at(-1)?.atUs ?? this.#first.atUs
    this.#note(atUs, `stays ${payment.status} until an operator or a payer acts`)
  }

  #note(atUs: InstantUs, what: string): void {
    this.#push(atUs, 'mfano', 'mfano', what)
  }

  #push(atUs: InstantUs, from: SequenceParty, to: SequenceParty, what: string, only?: string): void {
    this.#steps.push({ atUs, from, to, what, ...(only !== undefined && { only }) })
  }
}

function openState(status: string): string | undefined {
  return openStates.find((open) => open === status)
}
