/** The contract of the service: what it says of itself besides its operations. */
import type { Contract, ContractOptions, ContractParameter, ContractTerms } from '../http/contract.ts'
import { openApiDocument } from '../http/openapi.ts'
import { errorSchemas, refusal, refusals } from './contract-errors.ts'
import { exampleOf, exampleRequest } from './examples.ts'
import { bankCollectionAnswer } from './kinds/bank-collection/schema.ts'
import { operations } from './operations.ts'

/** The contract of a world. */
export function contractOf(options: ContractOptions): Contract {
  return openApiDocument(terms, options)
}

const signatureHeaders = (
  [
    ['webhook-id', 'The same for every attempt of a callback.', 'msg_0000001'],
    ['webhook-timestamp', 'Seconds since the epoch, by world time.', '1737736080'],
    [
      'webhook-signature',
      'v1, and the base64 HMAC-SHA256 of id.timestamp.body.',
      'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    ],
  ] as const
).map(
  ([name, description, example]): ContractParameter => ({
    name,
    in: 'header',
    required: true,
    description,
    'x-basis': 'assumed',
    schema: { type: 'string' },
    example,
  }),
)

const terms: ContractTerms = {
  info: {
    title: 'mfano: a simulated payments service',
    summary: 'No money moves here.',
    description:
      'Every operation and every field says in x-basis how it is known. specified: the service interface document shows it. ' +
      "published: the provider's published reference shows it. assumed: neither does, and this is the least surprising " +
      'choice; x-assumptions holds the choices in force, and a scenario changes them. Answers also carry the headers ' +
      'mfano-request-id and mfano-rule, which the real service does not send.',
  },
  operations,
  securitySchemes: {
    bearerAuth: {
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The access_token that POST /api/v1/get-token answers; good for 300 seconds.',
      'x-basis': 'specified',
    },
  },
  errorSchemas,
  refusals,
  refusal,
  exampleRequest,
  exampleOf,
  callbacks: (assumptions) => ({
    ...(assumptions['final-callback'] === 'pending-too' && { description: 'Sent with PENDING at creation, too.' }),
    ...(assumptions['callback-signature'] === 'standard-webhooks' && { parameters: signatureHeaders }),
    responses: {
      [assumptions['callback-success'] === '200' ? '200' : '2XX']: {
        description: 'Received. Anything else, a redirect included, is tried again.',
        'x-basis': 'assumed',
        'x-assumption': { id: 'callback-success', value: assumptions['callback-success'] },
      },
    },
  }),
  webhooks: (assumptions) => {
    const id = 'bank-collection-callback'
    if (assumptions[id] === 'none') return []
    const webhook = {
      name: 'bankCollection',
      schema: bankCollectionAnswer.shape.data,
      description:
        'A payment into the bank account. Sent to the collectionCallbackUrl of the organisation; no source shows the body.',
      basis: 'assumed' as const,
      source: `assumption ${id}`,
      assumption: { id, value: assumptions[id] },
    }
    return [webhook]
  },
}
