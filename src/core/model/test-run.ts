/** Named test runs, and the scenarios that applied during them. */
import type { Json } from './payment.ts'
import { railSorts } from './rule-summaries.ts'
import type { InstantUs } from './time.ts'

export interface TestRun {
  id: number
  name: string
  note: string | null
  begin: Mark
  end: Mark | null
  compared: Json
}

export interface ScenarioStretch {
  scenario: string
  seed: number
  assumptions: Record<string, string>
  /** Null: since the world began. */
  sinceUs: InstantUs | null
  untilUs: InstantUs
  entries: StretchEntry[]
}

export const entryKinds = ['rule', 'fault', 'callback-fault', ...railSorts] as const

export interface StretchEntry {
  what: (typeof entryKinds)[number]
  name: string
  file: string
  line: number
  inherited: boolean
  hits: number
}

export type RunSpan = Readonly<Record<'payment' | 'request' | 'callback', Between>>

export interface Between {
  after?: number | undefined
  before?: number | undefined
}

export function spanOf(run: TestRun | undefined): RunSpan {
  const between = (of: keyof RunSpan): Between =>
    run === undefined ? {} : { after: run.begin[of], before: run.end ? run.end[of] + 1 : undefined }
  return { payment: between('payment'), request: between('request'), callback: between('callback') }
}

export interface Mark {
  atUs: InstantUs
  payment: number
  request: number
  callback: number
  /** Expectations that were verified. */
  check: number
}
