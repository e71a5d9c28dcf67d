import * as z from 'zod'
import type { Assumption, AssumptionRegistry, Assumptions } from '../../core/model/assumption.ts'
import { keysIn, must, recordFor } from '../../core/model/must.ts'
import { didYouMean } from '../../core/model/problems.ts'
import { faultTarget } from '../../core/response-faults.ts'
import type { Scenario } from '../../core/scenario.ts'
import { asMeasured, factSubjects, isStale } from '../../http/contract.ts'
import type { Operation } from '../../http/operation.ts'
import { type Reader, shape, view } from '../../inspect/view.ts'
import { paymentsService } from '../../service/service.ts'
import { invalidField, notFound } from './control-context.ts'
import { controlOperation } from './declared-operation.ts'

const which = () => z.union([z.literal('all'), z.array(z.string())])

const touchesShape = shape('Touches', () =>
  z.object({
    operations: which().describe('Those it may change, by id.').optional(),
    callbacks: which().describe('Kinds, if it may change callbacks.').optional(),
    unrouted: z.literal(true).describe('Requests that no operation answers: unknown paths and methods.').optional(),
    noted: z.literal(true).describe('Counts only requests whose journal entry names it.').optional(),
  }),
)

const factShape = shape('Fact', () =>
  z.object({
    about: z.enum(factSubjects.toSorted()),
    name: z.string().describe('Its name: a code, a header, the name of a default.'),
    value: z.string(),
    meaning: z.string(),
    basis: z.enum(['assumed', 'measured', 'own', 'published', 'specified']).describe('`own`: of mfano or HTTP.'),
    source: z.string().nullable().describe('The place in a source that shows it; null where none does.'),
    assumption: z.string().nullable().describe('The assumption that decides it; null where none does.'),
    convention: z.string().nullable().describe('The convention that it rests on, which has no alternative.'),
    byScenario: z.boolean().describe('Whether a setting of the scenario decides it.'),
  }),
)

const operationBasis = view(null, (read: Reader<Operation, Assumptions>) => ({
  operation: read(z.string(), ({ id }) => id),
  method: read(z.string(), ({ method }) => method.toUpperCase()),
  path: z.string(),
  basis: z.enum(['assumed', 'measured', 'published', 'specified']),
  source: z.string(),
  on: read(z.boolean(), ({ only }, assumptions) => (only ? assumptions[only.assumption] === only.is : true)),
}))

interface InForce {
  scenario: Scenario
  wallUs: number
}

const assumptionView = view(null, (read: Reader<[id: string, Assumption], InForce>) => ({
  id: read(z.string(), ([id]) => id),
  question: read(z.string(), ([, { question }]) => question),
  default: read(z.string(), ([, { alternatives }]) => alternatives[0]),
  alternatives: read(z.array(z.string()), ([, { alternatives }]) => alternatives),
  inForce: read(z.string(), ([id], { scenario }) => must(scenario.assumptions[id])),
  chosenBy: read(
    z.enum(['default', 'drawn', 'scenario']).describe('`drawn`: by the seed of the world.'),
    ([id], { scenario }) => must(scenario.chosenBy[id]),
  ),
  measured: read(
    z.object({ on: z.string(), isStale: z.boolean() }).nullable().describe('Real day on which the sandbox showed it.'),
    ([id], { scenario, wallUs }) => {
      const on = scenario.measured[id]
      return on === undefined ? null : { on, isStale: isStale(on, wallUs) }
    },
  ),
  note: read(z.string(), ([, { note }]) => note),
  touches: read(touchesShape(), ([, { touches }]) => touches),
  setting: read(z.string(), ([id]) => `assumptions: { ${id}: … }`),
}))

const bases = {
  specified: 'The service interface document shows it.',
  published: "The provider's published reference shows it.",
  measured: 'The service showed it at its sandbox, when mfano calibrate asked.',
  own: 'Belongs to mfano or to HTTP itself: it says nothing about the service.',
  assumed: 'Neither shows it: the least surprising alternative, changeable by a scenario.',
}

const readFidelityAnswer = shape('ReadFidelityAnswer', () =>
  z.object({
    bases: z.object(recordFor(keysIn(bases), () => z.string())),
    severs: z.boolean().describe('Whether faults end connections here; else they answer 502.'),
    operations: z.array(operationBasis.schema()),
    facts: z.array(factShape()),
    assumptions: z.array(assumptionView.schema()),
  }),
)

export const serviceOperations = [
  controlOperation('kind.list', 'GET /kinds', {
    summary: 'List kinds of payment and the requests that start them',
    answer: () =>
      z.object({
        kinds: z.array(
          z.object({
            kind: z.string(),
            phrase: z.string(),
            ends: z.array(z.string()),
            operation: z.string().nullable().describe('The operation that begins one; null if nobody asks for it.'),
            example: z.record(z.string(), z.unknown()).nullable(),
          }),
        ),
      }),
    run({ env: { baseUrl } }) {
      return {
        kinds: [...paymentsService.kinds].map(({ name, phrase, ends }) => {
          const opening = paymentsService.operations.find(({ opens }) => opens === name)
          return {
            kind: name,
            phrase,
            ends,
            operation: opening ? faultTarget(opening) : null,
            example: opening?.example?.(baseUrl) ?? null,
          }
        }),
      }
    },
  }),
  controlOperation('fidelity.show', 'GET /fidelity', {
    summary: 'List the basis of each behaviour, with alternatives',
    answer: readFidelityAnswer,
    run({ env, world }) {
      const { scenario } = world.core
      const { assumptions, measured } = scenario
      const wallUs = world.host.wallUs()
      return {
        bases,
        severs: env.sever !== undefined,
        operations: paymentsService.operations.map((operation) => operationBasis(operation, assumptions)),
        facts: asMeasured(paymentsService.facts, { measured, wallUs }),
        assumptions: Object.entries(paymentsService.assumptions).map((one) =>
          assumptionView(one, { scenario, wallUs }),
        ),
      }
    },
  }),
  controlOperation('assumption.choose', 'PUT /assumptions/:id', {
    summary: 'Choose an alternative of an assumption',
    params: { id: 'An assumption. `fidelity.show` lists them.' },
    body: z.strictObject({ value: z.string().describe('One of its alternatives.') }),
    answer: () => z.object({ id: z.string(), inForce: z.string() }),
    errors: ['INVALID_SCENARIO'],
    async run({ env: { worlds }, world, params: { id }, body }) {
      const value = offered(requireAssumption(id), body.value)
      const { scenario } = world.core
      await world.perform({ command: 'set-scenario', scenario: worlds.library.assuming(scenario, id, value) })
      return { id, inForce: must(world.core.scenario.assumptions[id]) }
    },
  }),
] as const

function requireAssumption(id: string): Assumption {
  const assumptions: AssumptionRegistry = paymentsService.assumptions
  const found = Object.hasOwn(assumptions, id) ? assumptions[id] : undefined
  if (found) return found
  throw notFound(`no assumption is "${id.slice(0, 80)}".${didYouMean(id, Object.keys(assumptions))}`, 'fidelity.show')
}

function offered({ alternatives }: Assumption, value: string): string {
  if (alternatives.includes(value)) return value
  throw invalidField(
    `value: must be one of ${alternatives.join(', ')}, got "${value.slice(0, 80)}".${didYouMean(value, alternatives)}`,
  )
}
