/** Streams what happens in a world, for tests. */
import { type Control, eventsOf, type WorldEvent } from '../../client/control.ts'
import { must } from '../../core/model/must.ts'

export interface EventFilter {
  /** Default: all. */
  types?: readonly Exclude<WorldEvent['type'], 'gap'>[]
  /** A condition in CEL over the event, as `GET /_mfano/events` takes it. */
  where?: string
  /** Starts with this many past events. */
  recent?: number
  /** Ends the stream. */
  signal?: AbortSignal
}

/** Starts now. Ends when the world closes or the loop ends. */
export async function worldEvents(control: Control, filter: EventFilter): Promise<AsyncGenerator<WorldEvent, void>> {
  const { types, where, recent, signal } = filter
  const response = await control.open('GET', '/events', {
    query: { types: types?.join(), where, recent },
    ...(signal && { signal }),
  })
  return eventsOf(must(response.body))
}
