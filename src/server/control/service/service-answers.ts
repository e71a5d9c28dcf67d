/** Answer schemas of the simulated service. */
import * as z from 'zod'
import { shape } from '../shape.ts'

const touchesShape = shape('Touches', () =>
  z.object({
    operations: z
      .union([z.literal('all'), z.array(z.string())])
      .describe('Operations whose requests or answers it may change, by their ids.')
      .optional(),
    callbacks: z
      .union([z.literal('all'), z.array(z.string())])
      .describe('Kinds of payment whose callbacks it may change, by their names.')
      .optional(),
    unrouted: z.literal(true).describe('Requests that no operation answers: unknown paths and methods.').optional(),
    noted: z
      .literal(true)
      .describe(
        'Of all those, only requests in whose journal entry it is named: it says there that it had to be asked.',
      )
      .optional(),
  }),
)

const constraintShape = shape('Constraint', () =>
  z.object({
    field: z
      .string()
      .describe('The field, below the schema or the operation that it belongs to: `SendMoneyRequest.remarks`.'),
    constraint: z.enum([
      'const',
      'enum',
      'exclusiveMaximum',
      'exclusiveMinimum',
      'format',
      'maxItems',
      'maxLength',
      'maximum',
      'minItems',
      'minLength',
      'minimum',
      'multipleOf',
      'pattern',
      'required',
      'uniqueItems',
      'x-default',
      'x-differs-from',
      'x-usual',
    ]),
    value: z.string().describe('As JSON.'),
    basis: z
      .enum(['assumed', 'measured', 'published', 'specified'])
      .nullable()
      .describe('Null where nobody said what it rests on: a mistake of ours, which a test finds.'),
    assumption: z.string().nullable().describe('The one that decides it, where it is assumed.'),
    convention: z.string().nullable().describe('The convention that it rests on, where that is assumed.'),
  }),
)

const factShape = shape('Fact', () =>
  z.object({
    about: z.enum(['answer header', 'callback header', 'code', 'convention', 'default', 'order', 'refusal']),
    name: z.string().describe('What it is called: a code, a header, the name of a default.'),
    value: z.string(),
    meaning: z.string(),
    basis: z
      .enum(['assumed', 'measured', 'own', 'published', 'specified'])
      .describe('`own`: of mfano or of HTTP itself, and nothing that a merchant may rely on.'),
    source: z.string().nullable().describe('Where a source shows it; null where none does.'),
    assumption: z.string().nullable().describe('The assumption that decides it; null where none does.'),
    convention: z.string().nullable().describe('The convention that it rests on, which has no alternative.'),
    byScenario: z.boolean().describe('Whether a setting of the scenario decides it.'),
  }),
)

export const readFidelityAnswer = shape('ReadFidelityAnswer', () =>
  z.object({
    bases: z.object({
      specified: z.string(),
      published: z.string(),
      measured: z.string(),
      own: z.string(),
      assumed: z.string(),
    }),
    severs: z
      .boolean()
      .describe(
        'Whether faults end connections here. A host that cannot, as on Workers, answers 502 in the place of that.',
      ),
    operations: z.array(
      z.object({
        operation: z.string(),
        method: z.string(),
        path: z.string(),
        basis: z.enum(['assumed', 'measured', 'published', 'specified']),
        source: z.string(),
        on: z.boolean(),
      }),
    ),
    constraints: z.array(constraintShape()),
    facts: z.array(factShape()),
    assumptions: z.array(
      z.object({
        id: z.string(),
        question: z.string(),
        default: z.string(),
        alternatives: z.array(z.string()),
        inForce: z.string(),
        chosenBy: z.enum(['default', 'drawn', 'scenario']).describe('`drawn`: by the seed of the world.'),
        measured: z
          .object({ on: z.string(), isStale: z.boolean() })
          .nullable()
          .describe(
            'The real day on which the service showed it at its sandbox, and whether that is too long ago; null where it did not.',
          ),
        note: z.string(),
        about: z.string().describe('The part of the note that is about no alternative.'),
        meanings: z
          .record(z.string(), z.string())
          .describe('What the note says of an alternative, by its name; an obvious one is left out.'),
        area: z.string().describe('What it is about.'),
        touches: touchesShape(),
        setting: z.string(),
      }),
    ),
  }),
)
