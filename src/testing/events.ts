import type { Control } from './control.ts'
import type { WorldEvent } from './shapes.ts'

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
  const response = await control<Response>('GET', '/events', {
    query: { types: types?.join(), where, recent },
    as: 'response',
    ...(signal && { signal }),
  })
  return eventsOf(response.body as ReadableStream<Uint8Array>)
}

/** Server-sent events as mfano writes them: one line of data each. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<WorldEvent, void> {
  let text = ''
  for await (const part of body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)) {
    const events = (text + part).split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (data !== undefined) yield JSON.parse(data)
    }
  }
}
