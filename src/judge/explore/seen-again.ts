/** Whether a finding comes again under the same choices, when the app is given more time: before anything is held against it. */
import type { Ran, ScheduleRecording } from './schedule-runner.ts'

/** A finding counts when its choices show it again so often. */
const AGAIN = 3

/** One run of the same choices. */
type Run = (recording: ScheduleRecording) => Promise<Ran>
type Judged = Pick<Ran, 'findings'>

export interface SeenAgain<One extends Judged> {
  /** The first run that shows it; undefined where none does. */
  shown: One | undefined
  /** The first that does not; undefined where all do. */
  without: One | undefined
}

/** Runs them again, patiently; the first leaves a capsule, where there is a folder for it. */
export function runAgain(run: Run, name: string, capsules: string | undefined): Promise<Ran[]> {
  return Promise.all(
    Array.from({ length: AGAIN }, (_, i) =>
      run({ patience: 'patient', ...(i === 0 && { capsuleIn: capsules, name }) }),
    ),
  )
}

/** Whether a hasty run shows once more what no patient one does: then the judge had read the books too soon. */
export async function isReadTooSoon<One extends Judged>(
  code: string,
  { shown }: SeenAgain<One>,
  runHastily: () => Promise<Judged>,
): Promise<boolean> {
  return !shown && seenAgain(code, [await runHastily()]).shown !== undefined
}

export function seenAgain<One extends Judged>(code: string, again: readonly One[]): SeenAgain<One> {
  const shows = ({ findings }: Judged) => findings.some((one) => one.code === code)
  return { shown: again.find(shows), without: again.find((one) => !shows(one)) }
}
