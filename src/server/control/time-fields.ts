/** Fields that several routes of the control plane take. */
import * as z from 'zod'
import { parseDuration, parseInstant, parseWorldInstant, WORLD_INSTANT } from '../../core/model/time.ts'

/**
 * Some JSON. What is checked has been parsed of JSON, so there is nothing to check; and a schema that says so refers to
 * itself, which tools that make types of a contract do not take.
 */
export const anyJson = z.unknown() as z.ZodType as ReturnType<typeof z.json>

/** An instant to look from or up to, in microseconds. */
export const instant = z
  .string()
  // In a query that was not encoded, the plus sign of an offset arrives as a space.
  .transform((text) => text.replace(/ (?=\d\d:\d\d$)/, '+'))
  .refine((text) => parseInstant(text) !== undefined, 'must be an ISO 8601 date and time such as 2025-01-24T16:28:00')
  .transform((text) => parseInstant(text) as number)

/** An instant at which a world begins, or goes on: what it is in the zone of its scenario, unless it has its own. */
export const startingInstant = z
  .string()
  .refine((text) => parseWorldInstant(text) !== undefined, `must be ${WORLD_INSTANT}`)

/** A length of time, in microseconds. */
export const durationField = z
  .string()
  .refine((text) => parseDuration(text) !== undefined, 'must be a duration such as 90s, 5m, 1h30m or 2d')
  .transform((text) => parseDuration(text) as number)
