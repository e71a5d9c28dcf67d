/** Fields and the stream that participants of a clock and forwarders of callbacks share. */
import * as z from 'zod'
import type { KnownRefusal } from '../../core/model/refusal.ts'
import { Refusal } from '../../core/model/refusal.ts'
import type { RemoteEnd, RemoteLine } from '../../core/model/remote.ts'
import type { World } from '../../core/world.ts'
import type { ControlContext } from './control-context.ts'
import { pulledStream, sentEvent } from './pulled-stream.ts'
import { durationField } from './time-fields.ts'

const LEASE_MAX_US = 600_000_000
const MOST = 100

export const remoteNameField = z.string().trim().min(1, 'must not be empty').max(200, 'must be at most 200 characters')

export const leaseField = durationField.refine((us) => us >= 1_000 && us <= LEASE_MAX_US, 'must be from 1ms to 10m')

export function requireRoom(count: number, code: KnownRefusal, doing: string): void {
  if (count >= MOST) throw new Refusal(code, `${MOST} programs ${doing} already`)
}

type Remotes = World['participants'] | World['forwarders']

/** Ends when the remote leaves, with an event `end`. Asked by HEAD, it sends only the headers. */
export function remoteStream<R extends Remotes>(
  { env: { world }, req }: ControlContext,
  remotes: R,
  id: string,
  print: (event: ReturnType<R['take']>[number]) => string,
): Response {
  let greeting = 'retry: 1000\n\n'
  let why: RemoteEnd | undefined
  let isOver = false
  let line: RemoteLine
  return pulledStream(world.host, req.raw.method === 'HEAD', {
    begin(wake) {
      line = {
        wake,
        end: (reason) => {
          why = reason
          wake()
        },
      }
      remotes.connect(id, line)
    },
    take() {
      const text = greeting
      greeting = ''
      if (isOver) return text
      isOver = why !== undefined
      // Whatever is open now belongs to the next reader.
      if (why) return text + sentEvent('end', { why })
      return text + remotes.take(id).map(print).join('')
    },
    isOver: () => isOver,
    left: () => remotes.disconnect(id, line),
  })
}
