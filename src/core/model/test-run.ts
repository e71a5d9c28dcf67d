/** Named test runs, and what was in force during them. */
import type { Json } from './payment.ts'
import type { InstantUs } from './time.ts'

/** What was tested under a name: whatever came behind its beginning, and not behind its end. */
export interface Run {
  id: number
  name: string
  /** For those who read the list. */
  note: string | null
  begin: Mark
  /** Null while it goes on. */
  end: Mark | null
  /** What the last comparison of books came to that was made in it; null where none was. */
  compared: Json
}

/** What was in force from one change of scenario or run to the next. */
export interface ScenarioStretch {
  scenario: string
  seed: number
  /** Assumptions that were not at their default, by id. */
  assumptions: Record<string, string>
  /** Null: since the world began. */
  sinceUs: InstantUs | null
  untilUs: InstantUs
  /** Its own, and those that it inherits as far as they fired. */
  entries: StretchEntry[]
}

/** What there is in a scenario to fire: what it is, where it stands, and how often it did. */
export interface StretchEntry {
  what: 'rule' | 'fault' | 'callback-fault' | 'limit' | 'fee' | 'float' | 'cut-off' | 'maintenance'
  name: string
  file: string
  line: number
  /** It comes from a scenario that its own extends. */
  inherited: boolean
  hits: number
}

/** What is asked about, by its subjects. Without marks: all that there is. */
export type Span = Readonly<Record<'payment' | 'request' | 'callback', Between>>

/** Numbers in the order of their kind; neither is in. */
export interface Between {
  after?: number | undefined
  before?: number | undefined
}

/** Of a run; of the whole world without one. */
export function spanOf(run: Run | undefined): Span {
  const between = (of: keyof Span): Between =>
    run === undefined ? {} : { after: run.begin[of], before: run.end ? run.end[of] + 1 : undefined }
  return { payment: between('payment'), request: between('request'), callback: between('callback') }
}

/** A place in what happened in a world: the newest payment, request and callback that there were. */
export interface Mark {
  atUs: InstantUs
  /** Their numbers; 0 where there was none yet. */
  payment: number
  request: number
  callback: number
}
