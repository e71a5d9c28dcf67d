/** Shapes of lengths of time in a scenario file. */
import * as z from 'zod'
import { delayPattern, durationPattern, parseSettlement, type SpreadFile } from './delays.ts'
import { checked } from './problems.ts'

export const durationSchema = z
  .string()
  .regex(durationPattern)
  .meta({
    description: 'a duration such as 4s, 1m30s or 2d (ms, s, m, h, d, w)',
    examples: ['10s', '1m30s', '2d'],
  })
export const spread = z.strictObject({ median: durationSchema, p95: durationSchema }).meta({
  description: 'a log-normal draw: half are shorter than the median, and 95 of a hundred shorter than p95',
  examples: [{ median: '20s', p95: '3m' }],
})
/** A length of time that can be drawn. */
export const drawn = <Schema extends z.ZodType<string | SpreadFile>>(schema: Schema) =>
  checked(schema, (written, tell) => {
    const delay = written === 'never' ? undefined : parseSettlement(written)
    if (typeof delay === 'string') tell(delay)
  })
export const delay = drawn(z.union([z.string().regex(delayPattern), spread])).meta({
  description: 'a duration such as 4s, or a range such as 30s..2m',
  examples: ['4s', '30s..2m', '2d', { median: '20s', p95: '3m' }],
})

export const retry = (backoff: string[], description: string) =>
  z
    .strictObject({
      attempts: z.int().min(1).max(100).optional().meta({ description: 'attempts in all, the first included' }),
      backoff: z
        .array(durationSchema)
        .min(1)
        .max(100)
        .optional()
        .meta({
          description: 'simulated time before the second, third … attempt; the last repeats',
          examples: [backoff],
        }),
    })
    .meta({ description })
