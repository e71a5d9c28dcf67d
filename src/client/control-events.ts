/** Reads the stream of `GET /_mfano/events`. */
import type { WorldEvent } from './control-answers.ts'

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
