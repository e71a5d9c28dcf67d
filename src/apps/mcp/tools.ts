import * as z from 'zod'
import type { ControlAnswer } from '../../client/control.ts'
import type { ShownHint } from '../../core/model/problems.ts'
import { explanationText } from '../../inspect/explain-payment.ts'
import { reportText } from '../../inspect/run-report.ts'
import { type AnyOperation, isOfServer, operationFields, operations } from '../../server/operation-fields.ts'

export interface ToolCall {
  ask(world: string | undefined, operation: string, parameters: Record<string, unknown>): Promise<unknown>
  signal: AbortSignal
}

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string
  description: string
  input: Input
  effect?: 'reads' | 'destroys' | undefined
  /** It asks or runs something beyond this mfano. */
  openWorld?: boolean
  run(input: z.output<Input>, asked: ToolCall): Promise<unknown>
}

function tool<Input extends z.ZodObject>(about: Tool<Input>): Tool {
  return about
}

const world = z.string().optional().describe('Id of the world. Default: default.')

/** An agent reads every row, so it gets few unless it asks for more. */
const ROWS = 20

const views: Readonly<Record<string, (answer: never) => unknown>> = {
  'payment.explain': (answer: ControlAnswer<'GET', '/payments/:id/explain'>) => explanationText(answer, asTool),
  'run.report': (answer: ControlAnswer<'GET', '/report'>) => reportText(answer, asTool),
  'scenario.list': ({ scenarios }: ControlAnswer<'GET', '/scenarios'>) =>
    scenarios.map(({ name, description }) => ({ name, description })),
}

const anyOperation: readonly Tool[] = [
  tool({
    name: 'list_operations',
    description: 'Lists operations of the control plane, with what each is for and takes. Call one by ask_operation.',
    input: z.strictObject({
      search: z.string().optional().describe('Only those with this text in their id or summary, such as float.'),
    }),
    effect: 'reads',
    run: async ({ search = '' }) => listed(search.toLowerCase()),
  }),
  tool({
    name: 'ask_operation',
    description: 'Calls any operation of the control plane by its id, as list_operations names it.',
    input: z.strictObject({
      world,
      operation: z.string().describe('Its id, such as float.fund.'),
      with: z.record(z.string(), z.json()).optional().describe('Its parameters, of path, query and body together.'),
    }),
    effect: 'destroys',
    openWorld: true,
    run: ({ world, operation, with: parameters = {} }, { ask }) => ask(world, operation, parameters),
  }),
]

export const tools: readonly Tool[] = [...[...operations.values()].flatMap(toolOf), ...anyOperation]

function toolOf(declared: AnyOperation): Tool[] {
  const { id, method, summary, description, agent } = declared
  if (!agent) return []
  const { tool, effect, openWorld = false } = agent
  const fields = operationFields(declared).filter(({ name }) => name !== 'format')
  // The operation itself checks the values, and says what is wrong in more words.
  const shape = fields.map(({ name, in: place, required, description, schema }) => {
    const field = (place === 'path' ? z.string() : z.any()).meta({ ...schema, description })
    return [name, required ? field : field.optional()]
  })
  const isPaged = declared.list && fields.some(({ name }) => name === 'limit')
  return [
    {
      name: tool,
      description: [`${summary}.`, description].filter(Boolean).join(' '),
      input: z.strictObject({ ...(!isOfServer(id) && { world }), ...Object.fromEntries(shape) }),
      effect: effect ?? (method === 'GET' ? 'reads' : undefined),
      openWorld,
      run: async ({ world, ...parameters }, { ask }) => {
        const asked = { ...(isPaged && { limit: ROWS }), ...parameters }
        const answer = await ask(world as string | undefined, id, asked)
        return views[id] ? views[id](answer as never) : answer
      },
    },
  ]
}

export function asTool({ operation, with: parameters }: ShownHint): string {
  const name = operations.get(operation)?.agent?.tool
  const input = name === undefined ? { operation, with: parameters } : parameters
  return [name ?? 'ask_operation', ...(Object.keys(input).length > 0 ? [JSON.stringify(input)] : [])].join(' ')
}

function listed(search: string) {
  return [...operations.values()]
    .filter(({ id, summary, internal }) => !internal && `${id} ${summary}`.toLowerCase().includes(search))
    .map((declared) => ({
      operation: declared.id,
      summary: declared.summary,
      with: Object.fromEntries(
        operationFields(declared).map(({ name, required, description, schema }) => [
          name,
          { ...(required && { required }), description, ...schema },
        ]),
      ),
    }))
}
