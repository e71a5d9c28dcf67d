/** The record of one choice. Its file is the only one that knows it. */
import * as z from 'zod'
import type { ControlBody } from '../../../client/control.ts'
import type { Post } from '../../../core/host.ts'
import type { Kind } from '../../../core/model/kind.ts'
import type { Payment } from '../../../core/model/payment.ts'
import type { Bill } from '../../app/bank-bills.ts'
import type { Merchant } from '../../app/merchant-file.ts'
import type { RiskName } from '../../subject/risks.ts'
import type { DayStep } from '../day.ts'
import type { CrashMoment, PaymentMet, Unseen } from '../happened.ts'

/** A payment of the ordinary day, and what asks for it. `acts`: what people can do, by name. */
export interface PaymentAt extends PaymentMet {
  of: Kind
  operation: string
  acts: readonly string[]
}

export interface OrdinaryDay {
  requests: readonly { operation: string; nth: number; opens: string | undefined }[]
  told: readonly PaymentMet[]
  steps: readonly { step: DayStep; number: number }[]
  merchant: Pick<Merchant, 'acts' | 'tick'> & { processes: readonly { name: string }[] }
}

export interface Planned {
  ending: { after: string; end?: string; revise?: { after: string; end: string } }
  answer?: object | string
  callback?: object
  twice?: true
}

/** In which order answers are let go that were held so that the app has nothing else to do. */
export type Order = 'oldest-first' | 'newest-first'

export interface Hands {
  restartApp(process?: string): Promise<void>
  restartService(): Promise<void>
  act(name: string): Promise<void>
  pass(by: string): Promise<void>
  passUntil(end: 'day' | 'month'): Promise<void>
  newestIn(): Payment | undefined
  collect(way: string, given: Record<string, unknown>): Promise<void>
}

export interface KnownPayments {
  payment: Payment
  others: readonly Payment[]
}

export interface Passage {
  isTogether?: true
  isEarly?: true
  /** The post of a stranger before the first callback; undefined where there is nothing to make it of. */
  stranger?(post: Post, known: KnownPayments): Post | undefined
}

/** `process`: only this one. */
export interface Crashed {
  process?: string | undefined
}

/** Choices that it offers, none where a judge names them; then effects of one that is made. */
interface Effects<One> {
  offersForPayment(payment: PaymentAt): One[]
  offersForDay(day: OrdinaryDay): One[]
  plan(one: One, planned: Planned, kind: Kind): Planned | undefined
  fault(one: One): object | undefined
  /** Changes the world that a run is made in; undefined where that world has no scenario of its own. */
  world(one: One, world: ControlBody<'POST', '/worlds'> | undefined): ControlBody<'POST', '/worlds'> | undefined
  settings(one: One): { callbackFaults?: object[]; assumptions?: Record<string, string>; maintenance?: object[] }
  /** An act; empty for the app's own work. */
  beside(one: One): string
  before(one: One, hands: Hands): Promise<void>
  afterEnd(one: One): string
  transfers(one: One, nth: number, bill: Bill): Bill[] | undefined
  order(one: One): Order | undefined
  passage(one: One): Passage
  unseen(one: One): Unseen | undefined
  refuses(one: One, operation: string, nth: number): boolean
  holds(one: One, operation: string, nth: number): boolean
  rewrites(one: One, operation: string, nth: number): ((body: string) => string) | undefined
  /** `on`: an operation, or the kind of payment that a callback is about. */
  crashes(one: One, at: CrashMoment, on: string, nth: number): Crashed | undefined
}

export interface ChoiceRecord<Shape extends z.ZodRawShape = z.ZodRawShape, One = z.output<z.ZodObject<Shape>>>
  extends Partial<Effects<One>> {
  /** Their names say where it is (`places` in `choice.ts`); the others say what is chosen there. */
  fields: Shape
  /** Without a place: choices of one sort come to the same for an app, here or elsewhere. Default: its `as`. */
  sort?(one: One): string
  risk(one: One): RiskName | undefined
  /** The same from run to run. Default: its fields, such as `answer send-money 1 lost`. */
  name?(one: One): string
  story(one: One): string
  /** A race comes to nothing where the app does not survive it, nor beside another. */
  race?: 'is' | 'ends'
}

export function choiceRecord<Shape extends z.ZodRawShape>(record: ChoiceRecord<Shape>): ChoiceRecord<Shape> {
  return record
}

export const nthSchema = z.int().min(1)
export const kindSchema = z.string().min(1)
