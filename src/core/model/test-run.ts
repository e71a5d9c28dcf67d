/** Named test runs, and the scenarios that applied during them. */
import type { Json } from './payment.ts'
import type { InstantUs } from './time.ts'

/** Holds what came after its beginning and not after its end. */
export interface TestRun {
  id: number
  name: string
  /** For those who read the list. */
  note: string | null
  begin: Mark
  /** Null while it goes on. */
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

export interface StretchEntry {
  what: 'rule' | 'fault' | 'callback-fault' | 'limit' | 'fee' | 'float' | 'cut-off' | 'maintenance'
  name: string
  file: string
  line: number
  /** It comes from a scenario that its own extends. */
  inherited: boolean
  hits: number
}

/** Number ranges by subject. Without marks, everything. */
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
}
