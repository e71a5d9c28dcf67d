/** Codes of findings, how serious each is, and its texts. */
import type { Service } from '../core/model/kind.ts'
import type { Level } from './reconcile/findings/finding-record.ts'
import {
  callbackHabits,
  polledTooFast,
  secretMisplaced,
  tokenForEveryCall,
} from './reconcile/findings/habit-findings.ts'
import { differences } from './reconcile/findings/money-findings.ts'

/** The worst first. A finding's record holds all of its texts. */
export const findingRecords = {
  ...differences,
  ...callbackHabits,
  token_for_every_call: tokenForEveryCall,
  secret_misplaced: secretMisplaced,
  polled_too_fast: polledTooFast,
}

export type FindingCode = keyof typeof findingRecords

export interface Finding {
  code: string
  level: Level
  reference?: string
  requestId?: string
  kind?: string
  line?: number
  others?: string[]
  /** At risk, in major units; left out where it is about no sum. */
  amount?: number
  currency?: string
  text: string
  todo?: string
}

export interface FindingShown extends Finding {
  /** Leads to all about its payment: an operation, and the same as a command and as an address. */
  explain?: { operation: string; with: Record<string, unknown>; command: string; url: string }
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
  party?: string | undefined
  /** Major units. */
  amount: number
  currency: string
  times: number
}
