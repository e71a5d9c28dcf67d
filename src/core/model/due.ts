/** Entries of the agenda: what is due, and when. */
import type { InstantUs } from './time.ts'

export interface Due {
  dueAtUs: InstantUs
  /** Orders what is due at one instant, so that runs repeat exactly. */
  seq: number
  subject: number
  event: string
}

/** Keeps the first thing that it waits for in its own row, which saves a row in the agenda. */
export interface Waiting {
  due: Due | null
}

/** Separate lanes, so that the next step of a payment is found without passing over deliveries. */
export const LANE = { steps: 0, deliveries: 1 } as const

export type Lane = (typeof LANE)[keyof typeof LANE]
