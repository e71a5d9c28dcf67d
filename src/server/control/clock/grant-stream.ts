/** Server-sent events for one participant of a world's clock: time grants and look requests. */
import type { Grant } from '../../../core/model/participant.ts'
import { Refusal } from '../../../core/model/refusal.ts'
import { isoInstant } from '../../../core/model/time.ts'
import type { World } from '../../../core/world.ts'
import type { AnswerOf } from '../declared-operation.ts'
import { pulledStream, sentEvent } from '../pulled-stream.ts'
import type { grantShape } from './clock-answers.ts'

/** Sends only the newest grant, because time does not wait for a slow reader. */
export function grantStream({ participants, host }: World, id: string, head: boolean): Response {
  let grant: Grant | undefined
  let look: number | undefined
  let isOver = false
  return pulledStream(host, head, {
    begin(wake) {
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
          isOver = true
          wake()
        },
      })
      if (!isFirst)
        throw new Refusal('ILLEGAL_TRANSITION', 'the grants of this participant are read already; join once more', {
          message: 'Already read',
        })
    },
    take() {
      const granted = grant ? sentEvent('grant', presentGrant(grant)) : ''
      const asked = look === undefined ? '' : sentEvent('look', { look })
      grant = undefined
      look = undefined
      return granted + asked
    },
    isOver: () => isOver,
    left: () => participants.disconnect(id),
  })
}

export function presentGrant({ number, nowUs, rate, beforeUs }: Grant): AnswerOf<typeof grantShape> {
  return {
    grant: number,
    now: isoInstant(nowUs),
    rate,
    before: beforeUs > nowUs ? isoInstant(beforeUs) : null,
  }
}
