/** Refusals in the contract: those of each operation, and the bodies of errors. */
import type { Assumptions } from '../../core/model/assumption.ts'
import { must } from '../../core/model/must.ts'
import { refusalAnswer, refusalCatalogue, refusalCodes } from '../../core/model/refusal.ts'
import type { ContractResponse } from '../../http/contract.ts'
import { type Basis, grounded, type JsonSchema, schemaRef } from '../../http/json-schema.ts'
import type { Operation } from '../../http/operation.ts'
import { reasonsOf } from '../facts/facts.ts'
import { errorForm } from './error-body.ts'

const ERROR_SCHEMAS = {
  nested: 'ErrorNested',
  flat: 'ErrorFlat',
  'field-list': 'ErrorFieldList',
  envelope: 'ErrorEnvelope',
} as const

/** By status. `default`: an error that only the scenario decides about. */
export function refusalResponses(operation: Operation, assumptions: Assumptions): [string, ContractResponse][] {
  const { assumption, form } = errorForm(operation, assumptions)
  const shared = {
    'x-assumption': { id: assumption, value: must(assumptions[assumption]) },
    content: { 'application/json': { schema: schemaRef(ERROR_SCHEMAS[form]) } },
  }
  const byStatus = Map.groupBy(reasonsOf(operation, assumptions), (reason) => refusalAnswer(reason).status)
  const statuses = [...byStatus].sort(([a], [b]) => a - b)
  return [
    ...statuses.map(([status, reasons]): [string, ContractResponse] => {
      const codes = refusalCodes.filter((code) => reasons.some((reason) => reason.code === code))
      const isListed = codes.some((code) => refusalCatalogue[code].status === status)
      return [
        String(status),
        {
          description: isListed
            ? codes.map((code) => refusalCatalogue[code].message).join(', or: ')
            : reasons.map(({ when }) => when).join(', or: '),
          'x-basis': isListed && reasons.some(({ ground }) => ground === 'published') ? 'published' : 'assumed',
          'x-codes': codes,
          'x-refusals': reasons.map(({ when, code, ground }) => ({ when, code, ...grounded(ground) })),
          ...shared,
        },
      ]
    }),
    [
      'default',
      {
        description: 'A rule or a fault of the scenario answers it: any of the codes, or one of its own.',
        'x-basis': 'assumed',
        'x-codes': refusalCodes,
        ...shared,
      },
    ],
  ]
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
      message: errorText('The reason.'),
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
      details: errorText('The field, what was expected and what came.'),
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
          details: errorText('The field, what was expected and what came.'),
        },
        required: ['code', 'message'],
        additionalProperties: false,
      },
    },
    required: ['error'],
    additionalProperties: false,
  },
}
