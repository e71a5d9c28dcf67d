/** When the app is killed: at each moment that passes between it and its world. */
import * as z from 'zod'
import type { CrashMoment } from '../happened.ts'
import { choiceRecord, keysOf } from './choice-record.ts'
import { nthSchema } from './choice-schemas.ts'

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
