/** Runs a schedule with a live app, in the place of the app that it was recorded with, and finds where it first does otherwise. */
import type { RecordedEntry } from '../../core/recording.ts'
import type { World } from '../../core/world.ts'
import { type LiveWorld, type Otherwise, otherwiseThan } from '../against.ts'
import type { Explored } from './schedule-note.ts'
import { type RunnerOptions, ScheduleRunner } from './schedule-runner.ts'

/** The first difference; undefined where the app does all that it did. */
export async function againstSchedule(
  options: RunnerOptions,
  { explored, kinds }: Explored,
  entries: readonly RecordedEntry[],
  live: (world: World) => Pick<LiveWorld, 'requestsAfter' | 'answerTo' | 'shown'>,
): Promise<Otherwise | undefined> {
  const runner = await ScheduleRunner.open(options)
  try {
    runner.kinds = kinds
    let otherwise: Otherwise | undefined
    const inspect = (world: World) => {
      otherwise = otherwiseThan(entries, live(world))
    }
    const { unjudged, findings } = await runner.run(explored, { inspect, patience: 'patient' })
    const ended = findings.find(({ code }) => code === 'app_died' || code === 'not_ready' || code === 'port_taken')
    const why = unjudged ?? ended?.text
    return why === undefined ? otherwise : { event: entries.length, text: why }
  } finally {
    await runner.close()
  }
}
