/** Every header that the service sends, with its basis. */
import type { Assumptions } from '../../core/model/assumption.ts'
import type { Source } from '../../core/model/basis.ts'
import { factOf, groundOf } from '../../core/model/fact.ts'
import type { ContractHeader } from '../../http/contract.ts'
import type { AssumptionId } from '../assumed/assumptions.ts'
import type { Conventional } from '../assumed/conventions.ts'

interface HeaderFact {
  value: string
  meaning: string
  ground: Source | AssumptionId | Conventional | 'own'
  source?: string
  on?: number | 'all'
}

/** Needed by HTTP itself, so they say nothing about the service. */
const ofHttp = {
  connection: { value: 'keep-alive or close', meaning: 'HTTP itself', ground: 'own' },
  'content-length': { value: 'bytes of the body', meaning: 'HTTP itself', ground: 'own' },
} as const satisfies Record<string, HeaderFact>

export const answerHeaders = {
  'content-type': {
    value: 'application/json',
    meaning: 'All bodies are JSON',
    ground: 'specified',
    source: 'What the service does',
  },
  allow: {
    value: 'the methods of the path',
    meaning: 'With 405: what would be possible',
    on: 405,
    ground: 'unsupported-method',
  },
  location: {
    value: 'the address as it is published',
    meaning: 'With 301 and 308: where a path with a slash behind it leads',
    ground: 'trailing-slash',
  },
  'retry-after': {
    value: 'seconds',
    meaning: 'With 429: when to ask again',
    on: 429,
    ground: 'retry-after',
  },
  'mfano-request-id': {
    value: 'the id of the request in the journal',
    meaning: 'Only mfano sends it, not the real service',
    on: 'all',
    ground: 'own',
  },
  'mfano-rule': {
    value: 'the rule of the scenario that decided',
    meaning: 'Only mfano sends it, not the real service',
    on: 'all',
    ground: 'own',
  },
  ...ofHttp,
  'transfer-encoding': { value: 'chunked', meaning: 'HTTP itself, of lists', ground: 'own' },
  date: { value: 'the time of the world, to the second', meaning: 'HTTP itself', ground: 'own' },
  'keep-alive': { value: 'timeout in seconds', meaning: 'HTTP itself', ground: 'own' },
} as const satisfies Record<string, HeaderFact>

export function headersOf(status: number, inForce: Assumptions): Record<string, ContractHeader> {
  const told = Object.entries<HeaderFact>(answerHeaders).filter(
    ([name, { on }]) =>
      (on === 'all' || on === status) && !(name === 'retry-after' && inForce['retry-after'] === 'none'),
  )
  return Object.fromEntries(
    told.map(([name, { value, meaning, ground }]) => {
      return [
        name,
        {
          description: `${meaning}: ${value}`,
          schema: { type: name === 'retry-after' ? 'integer' : 'string' },
          ...groundOf(factOf({ ground }, { about: 'answer header', name, value, meaning })),
        },
      ]
    }),
  )
}

export const callbackHeaderFacts = {
  'content-type': {
    value: 'application/json, with a charset or without',
    meaning: 'All bodies are JSON; whether with a charset is assumed',
    ground: 'callback-headers',
  },
  'user-agent': { value: 'mfano, Java/17.0.9 or none', meaning: 'The sender', ground: 'callback-headers' },
  accept: { value: 'JSON or none', meaning: 'The answer that the sender reads', ground: 'callback-headers' },
  traceparent: {
    value: 'as the request brought it',
    meaning: 'Copied from the request that led to it, if it had a valid one',
    ground: 'convention: the trace context of a callback',
  },
  tracestate: {
    value: 'as the request brought it',
    meaning: 'Beside traceparent, where the request brought it.',
    ground: 'convention: the trace context of a callback',
  },
  'webhook-id': {
    value: 'msg_ and a number',
    meaning: 'The same for every attempt of a callback.',
    ground: 'callback-signature',
  },
  'webhook-timestamp': {
    value: 'seconds since the epoch',
    meaning: 'When it was signed, by real time unless callbacks.signatureTime says otherwise.',
    ground: 'callback-signature',
  },
  'webhook-signature': {
    value: 'v1, and base64',
    meaning: 'v1, and the base64 HMAC-SHA256 of id.timestamp.body.',
    ground: 'callback-signature',
  },
  'mfano-callback': { value: 'true', meaning: 'Only mfano sends it, not the real service', ground: 'own' },
  host: { value: 'of the callback address', meaning: 'HTTP itself', ground: 'own' },
  date: {
    value: 'the time of the world, to the second',
    meaning: 'When it was sent, in HTTP’s own form',
    ground: 'own',
  },
  ...ofHttp,
} as const satisfies Record<string, HeaderFact>
