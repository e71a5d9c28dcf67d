/** Answer schemas of the server. */
import * as z from 'zod'
import { shape } from '../shape.ts'

export const readHealthAnswer = shape('ReadHealthAnswer', () =>
  z.object({
    status: z.string(),
    failing: z.array(
      z.object({ part: z.enum(['callbacks', 'commits', 'descriptors', 'time']), since: z.string(), why: z.string() }),
    ),
    version: z.string(),
    world: z.string(),
    worlds: z.number(),
    scenario: z.string(),
    now: z.string(),
    guarded: z.boolean(),
    schemaVersion: z.number().optional(),
    inbox: z
      .object({
        inboxes: z.number(),
        messages: z.number(),
        bytes: z.number(),
        bytesMax: z.number(),
        givenWay: z.number(),
      })
      .describe('What its inboxes keep in all, and how many messages were removed because there was too much.'),
  }),
)
