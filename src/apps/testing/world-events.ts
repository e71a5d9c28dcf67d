/** What happens in a world, for a test that follows it. */
import type { Control } from '../../client/control.ts'
import { eventsOf, type WorldEvent } from '../../client/control-answers.ts'

/** Which events to hear of. */
export interface EventFilter {
  /** All of them unless given. */
  types?: readonly Exclude<WorldEvent['type'], 'gap'>[]
  /** A condition in CEL over the event, as `GET /_mfano/events` takes it. */
  where?: string
  /** Begins with so many of the newest that have happened already. */
  recent?: number
  /** Ends the stream. */
  signal?: AbortSignal
}

/** Everything that happens in a world from now on; ends when the world is closed, or the loop is left. */
export async function worldEvents(control: Control, filter: EventFilter): Promise<AsyncGenerator<WorldEvent, void>> {
  const { types, where, recent, signal } = filter
  const response = await control.open('GET', '/events', {
    query: { types: types?.join(), where, recent },
    ...(signal && { signal }),
  })
  return eventsOf(response.body as ReadableStream<Uint8Array>)
}
