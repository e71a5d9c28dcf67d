/** When the app, or one of its processes, is killed. To add a crash, add a record. */
import * as z from 'zod'
import type { CrashMoment } from '../happened.ts'
import { choiceRecord, keysOf, nthSchema } from './choice-record.ts'

// When the app is killed: at each moment that passes between it and its world.

export interface CrashRecord {
  words(on: string, nth: number): string
  /** At the `nth` request of an operation, or the first callback of the `nth` payment of a kind. */
  of: 'request' | 'callback'
}

export const appCrashes = {
  executed: {
    words: (on, nth) => `the app dies after request ${nth} to ${on} was executed, before its answer`,
    of: 'request',
  },
  answered: { words: (on, nth) => `the app dies after it was answered request ${nth} to ${on}`, of: 'request' },
  seen: {
    words: (on, nth) => `the app dies while request ${nth} to ${on} is on its way, before it is worked on`,
    of: 'request',
  },
  acknowledged: {
    words: (on, nth) => `the app dies right after it acknowledged the callback about ${on} ${nth}`,
    of: 'callback',
  },
  called: { words: (on, nth) => `the app dies as the callback about ${on} ${nth} is sent`, of: 'callback' },
} satisfies Record<CrashMoment, CrashRecord>

const moments = keysOf<CrashMoment>(appCrashes)
const momentsOf = (what: CrashRecord['of']) => moments.filter((at) => appCrashes[at].of === what)

export const crashChoice = choiceRecord({
  fields: { at: z.enum(moments), on: z.string(), nth: nthSchema },
  slot: ({ at, on, nth }) => `${at} ${on} ${nth}`,
  sort: ({ at }) => at,
  risk: () => 'crashes',
  story: ({ at, on, nth }) => `${appCrashes[at].words(on, nth)}; it is started again`,
  met: ({ at, on, nth }, { crashes }) => crashes.has(`${at} ${on} ${nth}`),
  about: () => undefined,
  offers: {
    forDay: ({ requests, told }) => [
      ...requests.flatMap(({ operation: on, nth }) => momentsOf('request').map((at) => ({ at, on, nth }))),
      ...told.flatMap(({ kind: on, nth }) => momentsOf('callback').map((at) => ({ at, on, nth }))),
    ],
  },
  effects: { crashes: (one, at, on, nth) => one.at === at && one.on === on && one.nth === nth },
  race: 'ends',
})

// When one process of an app is killed, while the others live on.

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

const processMoments = keysOf<keyof typeof processCrashes>(processCrashes)
const processMomentsOf = (what: ProcessCrashRecord['of']) =>
  processMoments.filter((at) => processCrashes[at].of === what)

/** The names to choose from: of one process alone, a crash is one of the app. */
const namesOf = (processes: readonly { name: string }[]) =>
  processes.length > 1 ? processes.map(({ name }) => name) : []

export const crashProcessChoice = choiceRecord({
  fields: { process: z.string(), at: z.enum(processMoments), on: z.string(), nth: nthSchema },
  slot: ({ process, at, on, nth }) => `${process} ${at} ${on} ${nth}`,
  sort: ({ process, at }) => `${process} ${at}`,
  story: ({ process, at, on, nth }) => `${processCrashes[at].words(process, on, nth)}; it is started again`,
  met: ({ at, on, nth }, { crashes }) => crashes.has(`${at} ${on} ${nth}`),
  about: () => undefined,
  risk: () => 'crashes',
  offers: {
    forDay: ({ requests, told, merchant }) =>
      namesOf(merchant.processes).flatMap((process) => [
        ...requests.flatMap(({ operation: on, nth }) =>
          processMomentsOf('request').map((at) => ({ process, at, on, nth })),
        ),
        ...told.flatMap(({ kind: on, nth }) => processMomentsOf('callback').map((at) => ({ process, at, on, nth }))),
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
