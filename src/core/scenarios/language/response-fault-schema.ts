/** Schema of `faults`: faults of HTTP answers, for any operation. */
import * as z from 'zod'
import { delay, durationSchema } from '../../model/delay-schemas.ts'
import { errorAnswerShape } from './planned-fault-schema.ts'
import { shortText } from './schema-parts.ts'
import { faultSelectorOf } from './selector-schema.ts'

const target = shortText(120)

const rateLimit = z
  .strictObject({
    max: z
      .int()
      .min(1)
      .max(1_000_000)
      .meta({ description: 'requests that are let through', examples: [10] }),
    per: durationSchema.meta({
      description: 'the stretch of simulated time that they are counted in: 1m is every full minute',
      examples: ['1m'],
    }),
    retryAfter: durationSchema.optional().meta({
      description: 'what Retry-After says, in whole seconds; until the stretch ends when left out',
      examples: ['30s'],
    }),
  })
  .meta({
    description: '429 RATE_LIMITED with Retry-After for each organisation that asks more often; nothing is executed',
    examples: [{ max: 10, per: '1m' }],
  })

const then = z
  .strictObject({
    ...errorAnswerShape,
    latency: delay.optional().meta({
      description: 'real time, up to 1m, before the request is worked on (with after: true, before it is answered)',
      examples: ['2s', '500ms..5s', { median: '300ms', p95: '4s' }],
    }),
    slowBody: z
      .strictObject({
        bytesPerSecond: z.int().min(1).max(1_000_000).meta({ description: 'bytes in a second of real time' }),
      })
      .optional()
      .meta({
        description: 'the body arrives slowly, in a minute at the most',
        examples: [{ bytesPerSecond: 20 }],
      }),
    truncate: z
      .number()
      .min(0)
      .max(1_000_000)
      .optional()
      .meta({
        description: 'where the body breaks off: after so many bytes, or after a fraction of it (below 1)',
        examples: [20, 0.5],
      }),
    reset: z
      .literal(true)
      .optional()
      .meta({ description: 'the connection is reset instead of an answer; on Workers, which cannot, 502 is answered' }),
    empty: z.literal(true).optional().meta({ description: 'the connection is closed without an answer' }),
    rateLimit: rateLimit.optional(),
    revokeTokens: z
      .union([z.literal(true), z.strictObject({ after: durationSchema })])
      .optional()
      .meta({
        description:
          "401 AUTH_INVALID_TOKEN: true revokes all of the organisation's tokens with this request, { after: 60s } refuses those that are older",
        examples: [true, { after: '60s' }],
      }),
  })
  .meta({
    description: 'what goes wrong with the answer',
    examples: [{ status: 503 }, { reset: true }, { latency: '2s' }],
  })

const fault = z
  .strictObject({
    ...faultSelectorOf(['organisation']),
    on: z.union([target, z.array(target).min(1).max(100)]).meta({
      description: 'an operation by method and path or by its id, a list of them, or * for all',
      examples: ['POST /api/sandbox/v1/send-money', 'getToken', '*'],
    }),
    when: shortText(4000)
      .optional()
      .meta({
        description: 'a condition in CEL over request (its path, query and body), organisation, now and nth',
        examples: ['request.amount > 10000', 'now.getHours() < 6'],
      }),
    after: z.literal(true).optional().meta({ description: 'the request is executed, and then its answer is spoiled' }),
    then,
  })
  .meta({ description: 'a fault of answers' })

export const faults = z
  .array(fault)
  .max(1000)
  .meta({
    description:
      'what goes wrong with our answers over HTTP; the first that matches, those of the extended scenario come after these',
    examples: [[{ on: 'POST /api/sandbox/v1/send-money', chance: 0.01, then: { status: 503 } }]],
  })

export type ResponseFaultRuleFile = z.infer<typeof fault>
