/** The general part of the service's contract, without operations. */
import * as z from 'zod'
import type { Assumptions } from '../../core/model/assumption.ts'
import type { ContractCallback, ContractParameter } from '../../http/contract.ts'
import type { Operation } from '../../http/operation.ts'
import { callbackHeaderFacts } from '../facts/facts.ts'

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

export const info = {
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
}

export const bearerAuth = {
  type: 'http',
  scheme: 'bearer',
  bearerFormat: 'JWT',
  description: 'The access_token that POST /api/v1/get-token answers; good for its expires_in seconds.',
  'x-basis': 'specified',
}

/** Parameters of a read, as runtime expressions of OpenAPI; undefined when it does not read what was created. */
export function linked({ query, params }: Operation): Record<string, string> | undefined {
  const names = [query, params].flatMap((one) => (one instanceof z.ZodObject ? Object.keys(one.shape) : []))
  if (names.includes('requestId')) return { requestId: '$response.body#/data/requestId' }
  if (names.includes('allocationId')) return { allocationId: '$response.body#/data/requestId' }
  if (names.includes('checkoutSessionId')) return { checkoutSessionId: '$response.body#/id' }
  return undefined
}

export function callbackTerms(
  assumptions: Assumptions,
): Pick<ContractCallback, 'description' | 'parameters' | 'responses'> {
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

/** Descriptions of the contract's tags. */
export const tagDescriptions: Readonly<Record<string, string>> = {
  Tokens: 'Access tokens, with which everything else is called.',
  'Sub-accounts': 'Organisations below the caller: made, activated, subscribed and listed.',
  Allocations: 'Money from an organisation to one of its sub-accounts.',
  'De-allocations': 'Money from a sub-account back to its organisation.',
  Checkout: 'Hosted pages on which a customer pays.',
  'Mobile money payouts': "Payouts to a subscriber's wallet.",
  Tanzania: 'Payouts and collections by the paths of Tanzania.',
  'Till payouts': 'Payouts to a till number of a business.',
  'Paybill payouts': 'Payouts to an account of a paybill number.',
  'Bank payouts': 'Payouts to bank accounts, and whose account one is.',
  'Mobile collections': 'Collections that a subscriber approves on the phone.',
  'Bank collections': 'Payments that came in through a bank.',
  Wallet: 'The wallets of the caller, and what is in them.',
}
