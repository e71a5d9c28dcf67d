/** When the app, or one of its processes, is killed. To add a crash, add a record. */
import * as z from 'zod'
import { keysIn } from '../../../core/model/must.ts'
import type { CrashMoment } from '../happened.ts'
import { choiceRecord, nthSchema } from './choice-record.ts'

interface CrashRecord {
  /** When it dies. */
  words(met: string): string
  /** At the `nth` request of an operation, or the first callback of the `nth` payment of a kind. */
  of: 'request' | 'callback'
  /** Not for one process: another may be the one that sends the request. */
  isWhole?: true
}

export const appCrashes = {
  executed: { words: (met) => `after ${met} was executed, before its answer`, of: 'request' },
  answered: { words: (met) => `after ${met} was answered`, of: 'request' },
  seen: { words: (met) => `while ${met} is on its way, before it is worked on`, of: 'request', isWhole: true },
  acknowledged: { words: (met) => `right after ${met} was acknowledged`, of: 'callback' },
  called: { words: (met) => `as ${met} is sent`, of: 'callback' },
} satisfies Record<CrashMoment, CrashRecord>

const moments = keysIn(appCrashes)

function momentsOf(wanted: CrashRecord['of'], process: string | undefined): CrashMoment[] {
  return moments.filter((at) => {
    const { of, isWhole }: CrashRecord = appCrashes[at]
    return of === wanted && !(isWhole && process !== undefined)
  })
}

const mortals = (processes: readonly { name: string }[]): { process?: string }[] => [
  {},
  ...(processes.length > 1 ? processes.map(({ name }) => ({ process: name })) : []),
]

const processSchema = z.string().optional()
const processName = (process: string | undefined) => (process === undefined ? 'the app' : `the process ${process}`)

export const crashChoice = choiceRecord({
  fields: { process: processSchema, at: z.enum(moments), on: z.string(), nth: nthSchema },
  sort: ({ process, at }) => [process, at].filter(Boolean).join(' '),
  risk: () => 'crashes',
  story: ({ process, at, on, nth }) => {
    const { of, words }: CrashRecord = appCrashes[at]
    const met = of === 'request' ? `request ${nth} to ${on}` : `the callback about ${on} ${nth}`
    return `${processName(process)} dies ${words(met)}, and is started again`
  },
  offersForDay: ({ requests, told, merchant }) =>
    mortals(merchant.processes).flatMap((one) => [
      ...requests.flatMap(({ operation: on, nth }) =>
        momentsOf('request', one.process).map((at) => ({ ...one, at, on, nth })),
      ),
      ...told.flatMap(({ kind: on, nth }) => momentsOf('callback', one.process).map((at) => ({ ...one, at, on, nth }))),
    ]),
  crashes: (one, at, on, nth) => (one.at === at && one.on === on && one.nth === nth ? one : undefined),
  race: 'ends',
})

export const restartChoice = choiceRecord({
  fields: { process: processSchema, step: nthSchema },
  sort: ({ process = '' }) => process,
  risk: () => 'crashes',
  story: ({ process, step }) => `before step ${step} ${processName(process)} dies at rest, and is started again`,
  offersForDay: ({ steps, merchant }) =>
    mortals(merchant.processes).flatMap((one) => steps.map(({ number }) => ({ ...one, step: number }))),
  before: ({ process }, hands) => hands.restartApp(process),
  race: 'ends',
})
