/** Codes of findings, how serious each is, and its texts. */
import type { Service } from '../core/model/simulated-service.ts'
import type { Level } from './reconcile/findings/finding-record.ts'
import {
  callbackHabits,
  polledTooFast,
  secretMisplaced,
  tokenForEveryCall,
} from './reconcile/findings/habit-findings.ts'
import { differences } from './reconcile/findings/money-findings.ts'

/** The worst first. Everything that is said about a finding is in its record. */
export const findingRecords = {
  ...differences,
  ...callbackHabits,
  token_for_every_call: tokenForEveryCall,
  secret_misplaced: secretMisplaced,
  polled_too_fast: polledTooFast,
}

export type FindingCode = keyof typeof findingRecords

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
  /** What to change in the app. */
  todo?: string
}

export interface FindingShown extends Finding {
  explain?: { command: string; url: string }
}

/** The service has no list of these kinds, so an app that loses the id cannot find the payment again. */
export function kindsWithoutList({ operations }: Pick<Service, 'operations'>): Set<string> {
  const read = operations.filter(({ method, path }) => method === 'get' && !path.includes('{'))
  return new Set(
    operations.flatMap(({ opens, path }) => {
      const place = path.replace(/\/new$/, '')
      return opens && !read.some((one) => one.path.startsWith(`${place}/`)) ? opens : []
    }),
  )
}

export interface RequestWithoutPayment {
  kind: string
  /** Whom they are with; left out where they name nobody. */
  party?: string | undefined
  /** Major units. */
  amount: number
  currency: string
  times: number
}
