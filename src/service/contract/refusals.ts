import type { Assumptions } from '../../core/model/assumption.ts'
import { must } from '../../core/model/must.ts'
import { type Refusal, refusalAnswer, refusalCatalogue, refusalCodes } from '../../core/model/refusal.ts'
import type { OpenApiResponse } from '../../http/contract.ts'
import { grounded, type JsonSchema, schemaRef } from '../../http/json-schema.ts'
import type { Operation } from '../../http/operation.ts'
import type { Chosen } from '../assumptions/assumptions.ts'
import { reasonsOf } from './facts.ts'

const ERROR_SCHEMAS = {
  nested: 'ErrorNested',
  flat: 'ErrorFlat',
  'field-list': 'ErrorFieldList',
  envelope: 'ErrorEnvelope',
} as const

/** By status. `default`: an error that only the scenario decides about. */
export function refusalResponses(operation: Operation, assumptions: Assumptions): [string, OpenApiResponse][] {
  const { assumption, form } = errorForm(operation, assumptions)
  const shared = {
    'x-assumption': { id: assumption, value: must(assumptions[assumption]) },
    content: { 'application/json': { schema: schemaRef(ERROR_SCHEMAS[form]) } },
  }
  const byStatus = Map.groupBy(reasonsOf(operation, assumptions), (reason) => refusalAnswer(reason).status)
  const statuses = [...byStatus].sort(([a], [b]) => a - b)
  return [
    ...statuses.map(([status, reasons]): [string, OpenApiResponse] => {
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

function errorObject(
  description: string,
  properties: Record<string, JsonSchema>,
  required = Object.keys(properties),
): JsonSchema {
  return { type: 'object', description, 'x-basis': 'published', properties, required, additionalProperties: false }
}

const codeText = errorText('One of the published codes; a scenario may use its own.')
const message = errorText('The message of the code.')
const details = errorText('The field, what was expected and what came.')

/** An assumption chooses which of the three is sent. */
export const errorSchemas: Record<string, JsonSchema> = {
  ErrorEnvelope: errorObject('As a withdrawn page of the Tanzania reads lists codes: assumption tz-error-body.', {
    status: { type: 'integer', description: 'The HTTP status again.', 'x-basis': 'assumed' },
    message: errorText('The code.'),
    data: { type: 'null', description: 'Nothing.', 'x-basis': 'assumed' },
  }),
  ErrorFieldList: errorObject('As the checkout page shows it.', {
    message: errorText('The reason.'),
    errors: {
      type: 'object',
      description: 'For every wrong field, what is wrong with it.',
      'x-basis': 'published',
      additionalProperties: { type: 'array', items: { type: 'string' } },
    },
  }),
  ErrorFlat: errorObject(
    'As the table of the errors page lists it.',
    { errorCode: codeText, message, details, statusCode: errorText('The HTTP status as text.') },
    ['errorCode', 'message', 'statusCode'],
  ),
  ErrorNested: errorObject('As the sample of the errors page shows it.', {
    error: errorObject('The error.', { code: codeText, message, details }, ['code', 'message']),
  }),
}

// Bodies of errors. Three forms are published, so an assumption chooses one.

export type ErrorForm = Chosen['error-body'] | 'envelope'

export function errorBody(refusal: Refusal, form: ErrorForm): object {
  if (form === 'nested') return { error: { code: refusal.code, message: refusal.message, details: refusal.details } }
  if (form === 'flat') {
    return {
      errorCode: refusal.code,
      message: refusal.message,
      details: refusal.details,
      statusCode: String(refusal.status),
    }
  }
  if (form === 'envelope') return { status: refusal.status, message: withdrawnCode(refusal), data: null }
  // A field that nobody reads can have any name, `constructor` too.
  const errors: Record<string, string[]> = Object.create(null)
  for (const { field, message } of refusal.fields) {
    errors[field] ??= []
    errors[field].push(message)
  }
  const message = refusal.status === 400 && refusal.fields.length > 0 ? 'Invalid request payload' : refusal.message
  return { message, errors }
}

export function errorForm(
  operation: Operation | undefined,
  assumptions: Assumptions,
): { assumption: string; form: ErrorForm } {
  const own = operation?.errorForm
  if (own === 'tz-error-body' && assumptions[own] === 'withdrawn') return { assumption: own, form: 'envelope' }
  const assumption = own === undefined || own === 'tz-error-body' ? 'error-body' : own
  return { assumption, form: assumptions[assumption] as Chosen['error-body'] }
}

/** The Tanzania reads have codes of their own on a withdrawn page. Other refusals keep the general code. */
function withdrawnCode({ status, code, fields }: Refusal): string {
  if (status === 400 && fields.some(({ field }) => field === 'requestId')) return 'INVALID_REQUEST_ID'
  return { 401: 'UNAUTHORIZED', 404: 'NOT_FOUND', 429: 'RATE_LIMITED' }[status] ?? code
}
