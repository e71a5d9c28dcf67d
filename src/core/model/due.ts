/** Entries of the agenda: what is due, and when. */
import type { InstantUs } from './time.ts'

export interface Due {
  dueAtUs: InstantUs
  /** Orders what is due at one instant, so that runs repeat exactly. */
  seq: number
  subject: number
  event: string
}

/** `url` is empty when the callback is not stored. */
export type DueDelivery = Due & { url: string }

export type Position = Pick<Due, 'dueAtUs' | 'seq'>

/** Separate lanes, so that the next step of a payment is found without passing over deliveries. */
export const LANE = { steps: 0, deliveries: 1 } as const

export type Lane = (typeof LANE)[keyof typeof LANE]
