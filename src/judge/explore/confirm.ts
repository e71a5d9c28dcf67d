/** Repeats a run in which something was found, with more time for the app: before anything is held against it. */
import type { AppFinding } from '../subject/outcome.ts'
import type { ScheduleRecording } from './schedule-runner.ts'

/** A finding counts when the same shows it again so often. */
const AGAIN = 3

interface Judged {
  findings: readonly Pick<AppFinding, 'code'>[]
}

/**
 * `certain`: seen each time. `unstable`: not each time. `too-soon`: seen each time the books were read at once, and never
 * later, so no finding.
 */
export interface Confirmed<One extends Judged> {
  code: string
  verdict: 'certain' | 'unstable' | 'too-soon'
  /** The first repeated run that shows it; undefined where none does. */
  shown: One | undefined
  /** The first that does not; undefined where all do. */
  without: One | undefined
}

interface Confirming {
  /** The first repeated run leaves a capsule in this folder, under a name. */
  name: string
  capsules: string | undefined
  /** The run that showed it was given no more time than an app needs that has no timers. */
  isHasty: boolean
}

export async function confirm<One extends Judged>(
  codes: readonly string[],
  run: (recording: ScheduleRecording) => Promise<One>,
  { name, capsules, isHasty }: Confirming,
): Promise<Confirmed<One>[]> {
  const again = await Promise.all(
    Array.from({ length: AGAIN }, (_, i) =>
      run({ patience: 'patient', ...(i === 0 && { capsuleIn: capsules, name }) }),
    ),
  )
  const confirmed: Confirmed<One>[] = []
  for (const code of codes) {
    const shows = ({ findings }: Judged) => findings.some((one) => one.code === code)
    const [shown, without] = [again.find(shows), again.find((one) => !shows(one))]
    const isTooSoon = isHasty && !shown && shows(await run({}))
    confirmed.push({ code, shown, without, verdict: isTooSoon ? 'too-soon' : without ? 'unstable' : 'certain' })
  }
  return confirmed
}
