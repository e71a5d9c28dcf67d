/** Operations that list all operations and print their contract. */
import * as z from 'zod'
import { controlOperation } from '../declared-operation.ts'
import { pathsOf } from '../route.ts'
import { inForm, openApiForms } from './openapi-30.ts'

const listOperations = controlOperation('operation.list', {
  method: 'GET',
  path: '',
  summary: 'List the operations of the control plane',
  answer: () =>
    z.object({
      world: z.string(),
      docs: z.string(),
      contract: z.string(),
      controlContract: z.string().describe('Of what is listed below.'),
      operations: z.array(z.string()),
    }),
  answers: { 'text/html': 'The dashboard, for a browser.' },
  run: ({ env: { id, baseUrl } }, { operations }) => ({
    world: id,
    docs: `${baseUrl}/docs`,
    contract: `${baseUrl}/openapi.json`,
    controlContract: `${baseUrl}/_mfano/openapi.json`,
    operations: operations.flatMap((one) => pathsOf(one).map((path) => `${one.method} ${path}`)),
  }),
})

const readContract = controlOperation('contract.show', {
  method: 'GET',
  path: '/openapi.json',
  summary: 'Get the OpenAPI contract of the control plane',
  query: z.strictObject({
    as: z.enum(openApiForms).default('3.1').describe('The version of OpenAPI; 3.0 is for tools that read no other.'),
  }),
  answer: () => z.record(z.string(), z.unknown()),
  async run({ env: { baseUrl, version } }, { operations, query }) {
    // Loaded when it is asked for, so that a start need not wait for it.
    const { controlContract } = await import('../control-contract.ts')
    return { ...inForm(controlContract(operations, { baseUrl, version }), query.as) }
  },
})

export const serverOperations = [listOperations, readContract] as const
