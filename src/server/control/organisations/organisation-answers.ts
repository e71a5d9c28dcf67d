/** Answer schemas of organisations. */
import * as z from 'zod'
import { shape } from '../shape.ts'
import { jsonObjectShape } from '../shared-answers.ts'

export const organisationShape = shape('Organisation', () =>
  z.object({
    uuid: z.string(),
    name: z.string(),
    phoneNumber: z.string(),
    email: z.string(),
    uniqueReference: z.string(),
    collectionCallbackUrl: z.string().nullable(),
    parent: z.string().nullable().describe('The uuid of its parent.'),
    apiKeys: z.array(z.string()),
    users: z.array(jsonObjectShape()),
    createdAt: z.string(),
  }),
)
