/** Server-sent events for one participant of a world's clock: the newest grant, and looks. */
import type { Grant } from '../../../core/model/participant.ts'
import { Refusal } from '../../../core/model/refusal.ts'
import { isoInstant } from '../../../core/model/time.ts'
import type { World } from '../../../core/world.ts'
import type { AnswerOf } from '../declared-operation.ts'
import type { grantShape } from './clock-answers.ts'

/** Real milliseconds of silence after which a comment is sent, so that nobody in between thinks the line is dead. */
const HEARTBEAT_MS = 15_000

/** An answer that goes on for as long as its reader takes part. `head`: asks only whether it could be read. */
export function grantStream(world: World, id: string, head: boolean): Response {
  return new Response(head ? null : bodyOf(world, id), {
    headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-store', 'x-accel-buffering': 'no' },
  })
}

function bodyOf({ participants, host }: World, id: string): ReadableStream {
  const encoder = new TextEncoder()
  let grant: Grant | undefined
  let look: number | undefined
  let over = false
  let silent = false
  let wake = () => {}
  let cancelHeartbeat = () => {}
  const beat = () => {
    cancelHeartbeat()
    cancelHeartbeat = host.alarm(HEARTBEAT_MS, () => {
      silent = true
      wake()
    })
  }
  const isFirst = participants.connect(id, {
    grant: (newest) => {
      grant = newest
      wake()
    },
    look: (number) => {
      look = number
      wake()
    },
    end: () => {
      over = true
      cancelHeartbeat()
      wake()
    },
  })
  if (!isFirst)
    throw new Refusal('ILLEGAL_TRANSITION', 'the grants of this participant are read already; join once more', {
      message: 'Already read',
    })
  beat()
  /** Taken when the reader has room: of grants that came meanwhile only the newest, because time goes on without a slow one. */
  const take = () => {
    let text = silent ? ': nothing new\n\n' : ''
    if (grant) text += told('grant', presentGrant(grant))
    if (look !== undefined) text += told('look', { look })
    grant = undefined
    look = undefined
    if (silent) beat()
    silent = false
    return text
  }
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          const text = take()
          if (text !== '') return controller.enqueue(encoder.encode(text))
          if (over) return controller.close()
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      },
      cancel() {
        over = true
        participants.disconnect(id)
        wake()
      },
    },
    { highWaterMark: 0 },
  )
}

export function presentGrant({ number, nowUs, rate, beforeUs }: Grant): AnswerOf<typeof grantShape> {
  return {
    grant: number,
    now: isoInstant(nowUs),
    rate,
    before: beforeUs > nowUs ? isoInstant(beforeUs) : null,
  }
}

function told(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
