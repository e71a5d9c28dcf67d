/** The general part of the service's contract, without operations. */
import * as z from 'zod'
import type { Assumptions } from '../../core/model/assumption.ts'
import { isUnsent } from '../../core/model/kind.ts'
import { must } from '../../core/model/must.ts'
import type { ContractParameter, ContractTerms } from '../../http/contract.ts'
import type { Operation } from '../../http/operation.ts'
import { asChosen } from '../assumed/assumptions.ts'
import { facts } from '../facts/facts.ts'
import { callbackHeaderFacts, headersOf } from '../facts/headers.ts'
import type { ServedService } from '../parts.ts'
import { asked } from '../requests/asked-schema.ts'
import { asSent } from '../requests/sent-forms.ts'
import { contractRefusals, errorSchemas, refusal } from './contract-errors.ts'
import { tagDescriptions } from './tags.ts'

const signatureHeaders = (
  [
    ['webhook-id', 'msg_0000001'],
    ['webhook-timestamp', '1737736080'],
    ['webhook-signature', 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
  ] as const
).map(
  ([name, example]): ContractParameter => ({
    name,
    in: 'header',
    required: true,
    description: callbackHeaderFacts[name].meaning,
    'x-basis': 'assumed',
    schema: { type: 'string' },
    example,
  }),
)

export function contractTerms({ operations, webhooks }: Pick<ServedService, 'operations' | 'webhooks'>): ContractTerms {
  return {
    info: {
      title: 'mfano: a simulated payments service',
      summary: 'No money moves here.',
      description:
        'Every operation and every field says in x-basis how it is known, and in x-constraints what each of its constraints rests on. specified: the service interface document shows it. ' +
        "published: the provider's published reference shows it. assumed: neither does, and this is the least surprising " +
        'alternative; x-assumptions holds those in force, and a scenario changes them. Answers also carry the headers ' +
        'mfano-request-id and mfano-rule, which the real service does not send. Headers that are too large are answered 431 ' +
        'without a body. ' +
        'This is a sandbox: how a payment ends is chosen by the end of its phone, business or account number, or by its amount, ' +
        'as /docs/outcomes lists them; time, worlds, customers who pay in and what happened are at /_mfano, with a contract of ' +
        'their own at /_mfano/openapi.json.',
    },
    operations,
    tagDescriptions,
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
    refusals: contractRefusals,
    refusal,
    facts,
    headers: headersOf,
    linked,
    asked: (schema, inForce) => asked(schema, asChosen(inForce)),
    sent: (printed, inForce) => asSent(printed, asChosen(inForce)),
    callbacks: callbackTerms,
    webhooks: (assumptions) =>
      webhooks
        .filter((webhook) => !isUnsent(webhook, assumptions))
        .map(({ unless, ...webhook }) => ({
          ...webhook,
          assumption: unless && {
            id: unless.assumption,
            value: must(assumptions[unless.assumption]),
          },
        })),
  }
}

function linked({ query, params }: Operation): Record<string, string> | undefined {
  const names = [query, params].flatMap((one) => (one instanceof z.ZodObject ? Object.keys(one.shape) : []))
  if (names.includes('requestId')) return { requestId: '$response.body#/data/requestId' }
  if (names.includes('allocationId')) return { allocationId: '$response.body#/data/requestId' }
  if (names.includes('checkoutSessionId')) return { checkoutSessionId: '$response.body#/id' }
  return undefined
}

function callbackTerms(assumptions: Assumptions): ReturnType<ContractTerms['callbacks']> {
  return {
    ...(assumptions['final-callback'] === 'pending-too' && {
      description: 'Sent with PENDING at creation, too, where the body has such a status.',
    }),
    ...(assumptions['callback-signature'] === 'standard-webhooks' && { parameters: signatureHeaders }),
    responses: {
      [assumptions['callback-success'] === '200' ? '200' : '2XX']: {
        description: 'Received. Anything else, a redirect included, is tried again.',
        'x-basis': 'assumed',
        'x-assumption': { id: 'callback-success', value: assumptions['callback-success'] },
      },
      '4XX': { description: 'Not received: it is tried again.', 'x-basis': 'assumed' },
    },
  }
}
