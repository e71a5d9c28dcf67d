/** What is due, and when. */
import type { InstantUs } from './time.ts'

/** Something that is due: an event of a payment, or an attempt of a callback. */
export interface Due {
  dueAtUs: InstantUs
  /** The order among what is due at one instant. */
  seq: number
  /** A payment's seq, or a callback's id. */
  subject: number
  event: string
}

/** Whatever waits; the first thing that it waits for is kept with it. */
export interface Waiting {
  due: Due | null
}

/** Steps of payments and deliveries of callbacks wait in separate lanes of the one agenda. */
export const LANE = { steps: 0, deliveries: 1 } as const

export type Lane = (typeof LANE)[keyof typeof LANE]
