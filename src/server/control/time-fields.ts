/** Field schemas that several routes share. */

import * as z from 'zod'
import { must } from '../../core/model/must.ts'
import type { Json } from '../../core/model/payment.ts'
import { parseDuration, parseInstant, parseWorldInstant, WORLD_INSTANT } from '../../core/model/time.ts'

/**
 * Any JSON value. It was parsed from JSON, so it is not checked. `z.json()` is recursive, and tools that generate types
 * from a contract cannot read that.
 */
export const anyJson: z.ZodType<Json> = z.any()

export const instant = z
  .string()
  // In a query that was not encoded, the plus sign of an offset arrives as a space.
  .transform((text) => text.replace(/ (?=\d\d:\d\d$)/, '+'))
  .refine((text) => parseInstant(text) !== undefined, 'must be an ISO 8601 date and time such as 2025-01-24T16:28:00')
  .transform((text) => must(parseInstant(text)))

/** An instant in the scenario's zone unless it has its own. */
export const startingInstant = z
  .string()
  .refine((text) => parseWorldInstant(text) !== undefined, `must be ${WORLD_INSTANT}`)

export const durationField = z
  .string()
  .refine((text) => parseDuration(text) !== undefined, 'must be a duration such as 90s, 5m, 1h30m or 2d')
  .transform((text) => must(parseDuration(text)))
