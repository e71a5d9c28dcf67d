/** What of a world belongs to a run: the payments, requests and callbacks between its marks. */
import type { Run } from '../store/run-tables.ts'

/** Numbers in the order of their kind; neither is in. */
export interface Between {
  after?: number | undefined
  before?: number | undefined
}

/** What is asked about, by its subjects. Without marks: all that there is. */
export type Span = Readonly<Record<'payment' | 'request' | 'callback', Between>>

/** Of a run; of the whole world without one. */
export function spanOf(run: Run | undefined): Span {
  const between = (of: keyof Span): Between =>
    run === undefined ? {} : { after: run.begin[of], before: run.end ? run.end[of] + 1 : undefined }
  return { payment: between('payment'), request: between('request'), callback: between('callback') }
}
