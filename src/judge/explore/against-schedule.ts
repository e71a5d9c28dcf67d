/** Runs a schedule with a live app, in the place of the app that it was recorded with, finds where it first does otherwise, and judges it. */
import type { RecordedEntry } from '../../core/recording.ts'
import type { World } from '../../core/world.ts'
import { isAppEnd } from '../app/app-findings.ts'
import { type Against, type LiveWorld, type Otherwise, otherwiseThan } from '../replay/against.ts'
import type { ScheduleNote } from './schedule-note.ts'
import { type RunnerOptions, ScheduleRunner } from './schedule-runner.ts'

export async function againstSchedule(
  options: RunnerOptions,
  { explored, kinds }: ScheduleNote,
  entries: readonly RecordedEntry[],
  live: (world: World) => Pick<LiveWorld, 'requestsAfter' | 'answerTo' | 'shown'>,
): Promise<Against> {
  const runner = await ScheduleRunner.open(options, { kinds })
  try {
    let otherwise: Otherwise | undefined
    const inspect = (world: World) => {
      otherwise = otherwiseThan(entries, live(world))
    }
    const { unjudged, findings } = await runner.run(explored, { inspect, patience: 'patient' })
    const ended = findings.find(({ code }) => isAppEnd(code))
    const why = unjudged ?? ended?.text
    if (why !== undefined) otherwise = { event: entries.length, text: why }
    return { otherwise, findings, ...(unjudged !== undefined && { unjudged }) }
  } finally {
    await runner.close()
  }
}
