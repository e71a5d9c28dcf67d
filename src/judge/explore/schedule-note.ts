/** The schedule that a recorded world was explored by, so that a live app can be led through the same. */
import * as z from 'zod'
import type { Control } from '../../client/control.ts'
import type { RecordedEntry } from '../../core/recording.ts'
import { choice } from './choice.ts'

/** The head of a recording of an explored run: all that its gate does follows from it. */
const note = z.object({ note: z.object({ explored: z.array(choice), kinds: z.array(z.string()) }) })
export type ScheduleNote = z.infer<typeof note>['note']

/** Notes it in the recording of a world. */
export async function noteSchedule(control: Control, schedule: ScheduleNote): Promise<void> {
  await control('POST', '/capsule/notes', { body: { act: 'explore', ...schedule } })
}

/** The schedule of a recording; undefined where it was not explored. */
export function scheduleIn(entries: readonly RecordedEntry[]): ScheduleNote | undefined {
  for (const entry of entries) {
    const read = note.safeParse(entry)
    if (read.success) return read.data.note
  }
  return undefined
}
