/** When one process of an app is killed, while the others live on. */
import * as z from 'zod'
import type { CrashMoment } from '../happened.ts'
import { choiceRecord, keysOf } from './choice-record.ts'
import { nthSchema } from './choice-schemas.ts'

interface ProcessCrashRecord {
  words(process: string, on: string, nth: number): string
  /** At the `nth` request of an operation, whoever of them sends it, or the first callback of the `nth` payment of a kind. */
  of: 'request' | 'callback'
}

/** None before a request is worked on: another process may be the one that sends it. */
const processCrashes = {
  executed: {
    words: (process, on, nth) =>
      `the process ${process} dies after request ${nth} to ${on} was executed, before its answer`,
    of: 'request',
  },
  answered: {
    words: (process, on, nth) => `the process ${process} dies after request ${nth} to ${on} was answered`,
    of: 'request',
  },
  acknowledged: {
    words: (process, on, nth) =>
      `the process ${process} dies right after the callback about ${on} ${nth} was acknowledged`,
    of: 'callback',
  },
  called: {
    words: (process, on, nth) => `the process ${process} dies as the callback about ${on} ${nth} is sent`,
    of: 'callback',
  },
} satisfies Partial<Record<CrashMoment, ProcessCrashRecord>>

const moments = keysOf<keyof typeof processCrashes>(processCrashes)
const momentsOf = (what: ProcessCrashRecord['of']) => moments.filter((at) => processCrashes[at].of === what)

/** The names to choose from: of one process alone, a crash is one of the app. */
const namesOf = (processes: readonly { name: string }[]) =>
  processes.length > 1 ? processes.map(({ name }) => name) : []

export const crashProcessChoice = choiceRecord({
  fields: { process: z.string(), at: z.enum(moments), on: z.string(), nth: nthSchema },
  slot: ({ process, at, on, nth }) => `${process} ${at} ${on} ${nth}`,
  sort: ({ process, at }) => `${process} ${at}`,
  story: ({ process, at, on, nth }) => `${processCrashes[at].words(process, on, nth)}; it is started again`,
  met: ({ at, on, nth }, { crashes }) => crashes.has(`${at} ${on} ${nth}`),
  about: () => undefined,
  risk: () => 'crashes',
  offers: {
    forDay: ({ requests, told, merchant }) =>
      namesOf(merchant.processes).flatMap((process) => [
        ...requests.flatMap(({ operation: on, nth }) => momentsOf('request').map((at) => ({ process, at, on, nth }))),
        ...told.flatMap(({ kind: on, nth }) => momentsOf('callback').map((at) => ({ process, at, on, nth }))),
      ]),
  },
  effects: {
    crashes: (one, at, on, nth) => one.at === at && one.on === on && one.nth === nth,
    ends: ({ process }) => process,
  },
  race: 'ends',
})

export const restartProcessChoice = choiceRecord({
  fields: { process: z.string(), step: nthSchema },
  slot: ({ process, step }) => `${process} ${step}`,
  sort: ({ process }) => process,
  story: ({ process, step }) => `before step ${step} the process ${process} dies at rest, and is started again`,
  met: () => true,
  about: () => undefined,
  risk: () => 'crashes',
  offers: {
    forDay: ({ steps, merchant }) =>
      namesOf(merchant.processes).flatMap((process) => steps.map(({ number }) => ({ process, step: number }))),
  },
  effects: { before: ({ process }, hands) => hands.restartApp(process) },
  race: 'ends',
})
