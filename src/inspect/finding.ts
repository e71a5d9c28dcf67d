/** What reconciling finds: codes, how grave each is, and what is known of it besides. */
import type { Service } from '../core/model/simulated-service.ts'

/** About money: each is a difference between what an app believes and what the ledger has. */
export const moneyCodes = [
  'paid_twice',
  'paid_unknown',
  'pending_unknown',
  'never_asked',
  'never_made',
  'booked_twice',
  'stale',
  'given_up',
  'believed_paid',
  'taken_back',
  'wrong_amount',
  'wrong_currency',
  'wrong_fee',
  'asked_again_under_way',
  'asked_again_after_unknown_answer',
  'charged_too_much',
] as const
/** About habits: nothing is lost by them yet. */
export const habitCodes = [
  'executed_twice',
  'unasked_unknown',
  'unmatched_line',
  'callback_unacknowledged',
  'callback_slow',
  'callback_server_error',
  'token_for_every_call',
  'secret_misplaced',
  'polled_too_fast',
] as const
export type FindingCode = (typeof moneyCodes)[number] | (typeof habitCodes)[number]

/** `error` counts for the verdict; `warning` is advice. */
export type Level = 'error' | 'warning'

/** A difference, or a habit, told. */
export interface Finding {
  /** One of the codes above, or that of a finding of somebody's own. */
  code: string
  level: Level
  reference?: string
  /** The service's id of the payment. */
  requestId?: string
  kind?: string
  /** Of the books, counted from 1. */
  line?: number
  /** The other payments that it is about. */
  others?: string[]
  text: string
}

/** A finding with the way to the whole story of its payment. */
export interface FindingShown extends Finding {
  explain?: { command: string; url: string }
}

/** Kinds that nobody finds again without their id: what reads them is the id's own address. */
export function kindsWithoutList({ operations }: Pick<Service, 'operations'>): Set<string> {
  const read = operations.filter(({ method, path }) => method === 'get' && !path.includes('{'))
  return new Set(
    operations.flatMap(({ opens, path }) => {
      const place = path.replace(/\/new$/, '')
      return opens && !read.some((one) => one.path.startsWith(`${place}/`)) ? opens : []
    }),
  )
}

/** Payments that nothing but their reference tells apart, and how many of them a merchant asked for. */
export interface Asked {
  kind: string
  /** Whom they are with; left out where they name nobody. */
  party?: string | undefined
  /** Major units. */
  amount: number
  currency: string
  times: number
}
