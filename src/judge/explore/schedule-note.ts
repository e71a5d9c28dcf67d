/** The schedule of a recorded run, so that a live app can be led through the same. */
import * as z from 'zod'
import type { Control } from '../../client/control.ts'
import type { RecordedEntry } from '../../core/recording.ts'
import { choice } from './choice.ts'

/** The head of a recording of an app's run: all that its gate does follows from it. */
const note = z.object({
  note: z.object({
    explored: z.array(choice),
    /** Left out where the world has a scenario of its own. */
    kinds: z.array(z.string()).optional(),
  }),
})
export type ScheduleNote = z.infer<typeof note>['note']

/** Notes it in the recording of a world. */
export async function noteSchedule(control: Control, schedule: ScheduleNote): Promise<void> {
  await control('POST', '/capsule/notes', { body: { act: 'explore', ...schedule } })
}

/** The schedule of a recording; undefined where no app was run in it. */
export function scheduleIn(entries: readonly RecordedEntry[]): ScheduleNote | undefined {
  for (const entry of entries) {
    const read = note.safeParse(entry)
    if (read.success) return read.data.note
  }
  return undefined
}
