/** The commands `mfano callback …`. */
import type { Attempt, CallbackDetail } from '../../client/control.ts'
import { nounGroup } from './declared-commands.ts'
import type { Output } from './output.ts'
import { table } from './table.ts'
import { factLines, httpStatus, indented, section, time } from './words.ts'

const PAUSED = 'paused, because the world came from a file; send it with: mfano callback resume'

export const callbackGroup = nounGroup('callback', { show: { show: inFull }, redeliver: { show: inFull } })

function inFull(callback: CallbackDetail, output: Output): string {
  const { paint } = output
  return [
    factLines(
      [
        ['id', callback.id],
        ['uid', callback.uid],
        ['about', callback.topic],
        ['payment', callback.payment],
        ['to', callback.url],
        ['state', callback.heldFor === 'resume' ? `${callback.state}: ${PAUSED}` : callback.state],
        ['created', time(callback.createdAt)],
        ['next try', callback.nextAttemptAt && time(callback.nextAttemptAt)],
        ['fault', callback.fault && `${callback.fault.does} (${callback.fault.rule})`],
      ],
      paint,
    ),
    section('Body', indented(callback.body), paint),
    section(
      'Attempts',
      callback.tries.length === 0
        ? ''
        : table(
            callback.tries,
            [
              { title: '#', of: ({ number }) => number, right: true },
              { title: 'SENT', of: ({ sentAt }) => time(sentAt) },
              { title: 'ANSWER', of: ({ status }) => status, paint: (text, _, paint) => httpStatus(text, paint) },
              { title: 'TOOK', of: ({ tookMs }) => `${Math.round(tookMs)} ms`, right: true, spare: 1 },
              ...(callback.tries.some(({ forwarder }) => forwarder !== null)
                ? [{ title: 'FORWARDED BY', of: ({ forwarder }: Attempt) => forwarder, spare: 2 }]
                : []),
              { title: 'ERROR', of: ({ error }) => error, least: 20 },
            ],
            output,
          ),
      paint,
    ),
    diagnosed(callback, output),
  ].join('')
}

function diagnosed({ tries }: CallbackDetail, { paint }: Output): string {
  const diagnosis = tries.at(-1)?.diagnosis
  if (!diagnosis) return ''
  const { why, todo } = diagnosis
  return section(
    'Diagnosis',
    factLines(
      [
        ['why', why],
        ['do', todo],
      ],
      paint,
    ),
    paint,
  )
}
