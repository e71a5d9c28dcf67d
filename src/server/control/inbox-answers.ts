/** Answer schemas of inboxes. */
import * as z from 'zod'
import { shape } from './fields.ts'

export const inboxMessageShownShape = shape('InboxMessageShown', () =>
  z.object({
    id: z.number(),
    at: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.unknown(),
    text: z.string().describe('The body as it came, to the letter: what a signature is over.'),
    answered: z
      .string()
      .nullable()
      .describe('The answer: a status, `hang`, `close` or `reset`, perhaps with a delay. null from an older mfano.'),
    signature: z
      .enum(['incomplete', 'none', 'old-secret', 'stale', 'valid', 'wrong'])
      .nullable()
      .describe('The result of the signature check.'),
  }),
)

const inboxPersonalityShape = shape('InboxPersonality', () =>
  z.object({
    answers: z.array(z.string()),
    delay: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.unknown(),
    taken: z.number().describe('Messages that it answered, and how it answers the next.'),
    next: z.string(),
  }),
)

export const inboxShape = shape('Inbox', () =>
  z.object({
    name: z.string(),
    personality: inboxPersonalityShape(),
    asked: z
      .array(inboxPersonalityShape().extend({ query: z.string() }))
      .describe('What addresses asked for by their query.'),
    messages: z.array(inboxMessageShownShape()),
  }),
)
