/** Errors in the contract: published bodies, and the statuses of each operation. */

import * as z from 'zod'
import type { Assumptions } from '../../core/model/assumption.ts'
import type { Basis } from '../../core/model/basis.ts'
import { factOf, groundOf } from '../../core/model/fact.ts'
import { must } from '../../core/model/must.ts'
import { refusalCatalogue, refusalCodes } from '../../core/model/refusal.ts'
import { type RefusalReason, refusalAnswer } from '../../core/model/refusal-reasons.ts'
import type { ContractRefusal, ContractResponse } from '../../http/contract.ts'
import { type JsonSchema, schemaRef } from '../../http/json-schema.ts'
import type { Operation } from '../../http/operation.ts'
import { asChosen } from '../assumed/assumptions.ts'
import { errorForm } from '../error-body.ts'
import { reasonsInOrder } from '../facts/facts.ts'
import { grown } from '../requests/more-fields.ts'

const ERROR_SCHEMAS = {
  nested: 'ErrorNested',
  flat: 'ErrorFlat',
  'field-list': 'ErrorFieldList',
  envelope: 'ErrorEnvelope',
} as const

/**
 * The published list does not say which operation answers which error, so this is worked out of the operation's shape.
 */
export function contractRefusals(
  { auth, method, body, params, query, headers = [], refuses = [] }: Operation,
  assumptions: Assumptions,
): number[] {
  const statuses = new Set([429, 500, 503, 504, ...refuses])
  const chosen = asChosen(assumptions)
  const asked = query && grown(query, chosen)
  const asks = asked instanceof z.ZodObject && Object.keys(asked.shape).length > 0
  const reads = body !== undefined || params !== undefined || asks
  if (chosen['unsupported-method'] === '405') statuses.add(405)
  if (reads || headers.length > 0) statuses.add(400)
  if (auth === 'bearer') statuses.add(401).add(403)
  else statuses.add(refusalCatalogue[chosen['bad-credentials']].status)
  if (auth === 'bearer' && reads) statuses.add(404)
  if (auth === 'bearer' && method === 'post' && body) statuses.add(402).add(423)
  if (body) statuses.add(413)
  if (body && chosen['unsupported-media-type'] === '415') statuses.add(415)
  return [...statuses].sort((a, b) => a - b)
}

export function refusal(operation: Operation, status: number, assumptions: Assumptions) {
  const { assumption, form } = errorForm(operation, assumptions)
  return {
    name: `${ERROR_SCHEMAS[form]}${status}`,
    response: () => errorResponse(status, form, { id: assumption, value: must(assumptions[assumption]) }),
  }
}

function errorResponse(
  status: number,
  form: keyof typeof ERROR_SCHEMAS,
  assumption: NonNullable<ContractResponse['x-assumption']>,
): ContractResponse {
  const listed = refusalCodes.filter((code) => refusalCatalogue[code].status === status)
  const reasons = reasonsInOrder().filter((reason) => refusalAnswer(reason).status === status)
  const described =
    listed.length > 0 ? listed.map((code) => refusalCatalogue[code].message) : reasons.map(({ when }) => when)
  return {
    description: described.join(', or: '),
    // The published list has no 429 either: a withdrawn page named it.
    'x-basis': listed.length > 0 && status !== 429 ? 'published' : 'assumed',
    'x-codes': listed.length > 0 ? listed : [...new Set(reasons.map(({ code }) => code))],
    'x-refusals': reasons.map(asListed),
    'x-assumption': assumption,
    content: { 'application/json': { schema: schemaRef(ERROR_SCHEMAS[form]) } },
  }
}

function asListed(reason: RefusalReason): ContractRefusal {
  const { when, code } = reason
  return { when, code, ...groundOf(factOf(reason, { about: 'refusal', name: when, value: code, meaning: '' })) }
}

function errorText(description: string): JsonSchema {
  return { type: 'string', description, 'x-basis': 'published' }
}

const codeText = errorText('One of the published codes; a scenario may use its own.')
const published: { 'x-basis': Basis } = { 'x-basis': 'published' }

/** An assumption chooses which of the three is sent. */
export const errorSchemas: Record<string, JsonSchema> = {
  ErrorEnvelope: {
    type: 'object',
    description: 'As a withdrawn page of the Tanzania reads lists codes: assumption tz-error-body.',
    ...published,
    properties: {
      status: { type: 'integer', description: 'The HTTP status again.', 'x-basis': 'assumed' },
      message: errorText('The code.'),
      data: { type: 'null', description: 'Nothing.', 'x-basis': 'assumed' },
    },
    required: ['status', 'message', 'data'],
    additionalProperties: false,
  },
  ErrorFieldList: {
    type: 'object',
    description: 'As the checkout page shows it.',
    ...published,
    properties: {
      message: errorText('What went wrong.'),
      errors: {
        type: 'object',
        description: 'For every wrong field, what is wrong with it.',
        ...published,
        additionalProperties: { type: 'array', items: { type: 'string' } },
      },
    },
    required: ['message', 'errors'],
    additionalProperties: false,
  },
  ErrorFlat: {
    type: 'object',
    description: 'As the table of the errors page lists it.',
    ...published,
    properties: {
      errorCode: codeText,
      message: errorText('The message of the code.'),
      details: errorText('What was wrong, what was expected and what came.'),
      statusCode: errorText('The HTTP status as text.'),
    },
    required: ['errorCode', 'message', 'statusCode'],
    additionalProperties: false,
  },
  ErrorNested: {
    type: 'object',
    description: 'As the sample of the errors page shows it.',
    ...published,
    properties: {
      error: {
        type: 'object',
        description: 'The error.',
        ...published,
        properties: {
          code: codeText,
          message: errorText('The message of the code.'),
          details: errorText('What was wrong, what was expected and what came.'),
        },
        required: ['code', 'message'],
        additionalProperties: false,
      },
    },
    required: ['error'],
    additionalProperties: false,
  },
}
