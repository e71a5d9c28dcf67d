/** Whether a finding comes again under the same choices, when the app is given more time: before anything is held against it. */
import type { Ran, ScheduleRecording } from './schedule-runner.ts'

/** A finding counts when its choices show it again so often. */
const AGAIN = 3

/** One run of the same choices. */
type Run = (recording: ScheduleRecording) => Promise<Ran>

export interface SeenAgain {
  /** The first run that shows it; undefined where none does. */
  shown: Ran | undefined
  /** The first that does not; undefined where all do. */
  without: Ran | undefined
}

/** Runs them again, patiently; the first leaves a capsule, where there is a folder for it. */
export function runAgain(run: Run, name: string, capsules: string | undefined): Promise<Ran[]> {
  return Promise.all(
    Array.from({ length: AGAIN }, (_, i) =>
      run({ patience: 'patient', ...(i === 0 && { capsuleIn: capsules, name }) }),
    ),
  )
}

export function seenAgain(code: string, again: readonly Ran[]): SeenAgain {
  const shows = ({ findings }: Ran) => findings.some((one) => one.code === code)
  return { shown: again.find(shows), without: again.find((one) => !shows(one)) }
}
