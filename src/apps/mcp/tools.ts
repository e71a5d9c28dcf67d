/** The tools for agents: a few that are a whole step of work each, and one that calls any operation. */
import * as z from 'zod'
import type { ControlAnswer, ControlId } from '../../client/control.ts'
import type { ShownHint } from '../../core/model/problems.ts'
import { explanationText } from '../../inspect/explain-payment.ts'
import { reportText } from '../../inspect/run-report.ts'

export interface ToolCall {
  /** Calls an operation. `world` undefined: the default world. */
  ask(world: string | undefined, operation: string, parameters: Record<string, unknown>): Promise<unknown>
  signal: AbortSignal
}

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string
  description: string
  input: Input
  /** Effect of a call. Default: it adds data and removes none. */
  effect?: 'reads' | 'destroys'
  /** It asks or runs something beyond this mfano. */
  openWorld?: true
  /** The operation that the tool calls with its input as parameters, unless `run` is given. */
  operation?: ControlId
  given?(input: z.output<Input>): Record<string, unknown>
  run?(input: z.output<Input>, asked: ToolCall): Promise<unknown>
}

function tool<Input extends z.ZodObject>(about: Tool<Input>): Tool {
  return about
}

const world = z.string().optional().describe('the id of a world; the world "default" without it')
const scenario = z
  .string()
  .describe('the name of a shipped scenario, such as late-reversal, or the text of one in YAML or JSON')
const clock = z
  .strictObject({
    mode: z.enum(['realtime', 'scaled', 'frozen']).optional(),
    rate: z.number().optional().describe('world seconds per real second'),
    start: z.string().optional().describe('simulated time at the beginning, such as 2025-01-24T16:28:00'),
  })
  .describe('how time goes; frozen moves only by settle and advance, which suits tests')

export const tools: readonly Tool[] = [
  tool({
    name: 'make_world',
    description:
      'Makes a sandbox of its own and answers its base URL and credentials: the app under test is given these and nothing else changes.',
    input: z.strictObject({
      id: z.string().optional().describe('a name of letters, digits, - and _; one is found without it'),
      scenario: scenario.optional(),
      seed: z.int().optional().describe('where chance and ids begin'),
      clock: clock.optional(),
    }),
    operation: 'world.create',
  }),
  tool({
    name: 'fork_world',
    description:
      'Makes a world that goes on from another one, with all that is there and due; neither knows of the other.',
    input: z.strictObject({
      from: z.string().describe('a world, or a snapshot as world/name'),
      id: z.string().optional(),
    }),
    operation: 'world.create',
  }),
  tool({
    name: 'list_worlds',
    description: 'Which worlds there are, with their scenarios and clocks.',
    input: z.strictObject({}),
    effect: 'reads',
    operation: 'world.list',
  }),
  tool({
    name: 'pay_in',
    description:
      'Lets a customer pay the merchant: stk (a prompt on a phone), tz (Tanzania mobile money) or bank. The outcome follows the scenario; settle lets it come.',
    input: z.strictObject({
      world,
      way: z.string().describe('stk (a prompt on a phone), tz (Tanzanian mobile money) or bank'),
      amount: z.number().positive(),
      phoneNumber: z.string().optional().describe('of the payer, such as 254712345678; for stk and tz'),
      accountReference: z.string().optional(),
      accountNumber: z.string().optional().describe('for bank'),
      callbackUrl: z.string().optional().describe('who is told the outcome'),
    }),
    operation: 'payment.collect',
  }),
  tool({
    name: 'list_payments',
    description: 'The newest payments of a world: kind, status, amount, reference, and the rule that decided.',
    input: z.strictObject({
      world,
      status: z.string().optional(),
      search: z
        .string()
        .optional()
        .describe('part of a uuid, request, reference or record; a phone number in any spelling'),
      limit: z.int().min(1).max(100).optional(),
    }),
    effect: 'reads',
    operation: 'payment.list',
    given: ({ limit = 20 }) => ({ limit }),
  }),
  tool({
    name: 'explain_payment',
    description:
      'Why a payment is where it is: request, rule, rails, plan, transitions, ledger, callbacks and their answers; what it waits for and what to do.',
    input: z.strictObject({ world, payment: z.string().describe('its uuid, reference, receipt or request id') }),
    effect: 'reads',
    operation: 'payment.explain',
    run: async ({ world, payment }, { ask }) => {
      const explained = await ask(world, 'payment.explain', { id: payment })
      return explanationText(explained as ControlAnswer<'GET', '/payments/:id/explain'>, asTool)
    },
  }),
  tool({
    name: 'settle',
    description:
      'Moves simulated time from one due event to the next, callbacks included, until nothing is due or the time is spent; says what happened.',
    input: z.strictObject({ world, within: z.string().optional().describe('a length of simulated time such as 3d') }),
    openWorld: true,
    operation: 'clock.settle',
  }),
  tool({
    name: 'advance_clock',
    description: 'Moves simulated time by a length such as 5m, through everything that falls due on the way.',
    input: z.strictObject({ world, by: z.string().describe('such as 90s, 5m or 2d') }),
    openWorld: true,
    operation: 'clock.advance',
  }),
  tool({
    name: 'list_scenarios',
    description: 'The shipped scenarios: misfortunes that an integration should survive, by name and description.',
    input: z.strictObject({}),
    effect: 'reads',
    run: async (_, { ask }) => {
      const { scenarios } = (await ask(undefined, 'scenario.list', {})) as ControlAnswer<'GET', '/scenarios'>
      return scenarios.map(({ name, description }) => ({ name, description }))
    },
  }),
  tool({
    name: 'lint_scenario',
    description:
      'Checks the text of a scenario and changes nothing: every problem with line, column, what was expected and the nearest known name.',
    input: z.strictObject({ world, text: z.string().describe('YAML or JSON') }),
    effect: 'reads',
    operation: 'scenario.lint',
    given: ({ text }) => ({ text: undefined, body: text }),
  }),
  tool({
    name: 'use_scenario',
    description: 'Puts a scenario in force in a world, for payments from now on.',
    input: z.strictObject({ world, scenario }),
    effect: 'destroys',
    operation: 'scenario.use',
    given: ({ scenario }) => ({ scenario: undefined, body: scenario }),
  }),
  tool({
    name: 'preview_request',
    description:
      'What would happen to a request for a payment under the scenario in force: the answer, transitions and callbacks with simulated times. Nothing is changed.',
    input: z.strictObject({
      world,
      kind: z.string().describe('a kind of payment such as send-money'),
      request: z.record(z.string(), z.json()).describe('its fields'),
    }),
    effect: 'reads',
    operation: 'scenario.preview',
  }),
  tool({
    name: 'doctor',
    description: 'Whether callbacks sent from mfano would reach an address; if not, what is wrong and what to do.',
    input: z.strictObject({
      world,
      url: z.string(),
      send: z.string().optional().describe('a kind of payment: a sample callback about it is really sent'),
    }),
    openWorld: true,
    operation: 'callback.examine',
  }),
  tool({
    name: 'reconcile',
    description:
      "Compares the books of an app with the ledger of a world: paid twice, unknown, stale, believed paid and failed, wrong amount, and what its requests alone say. A line of the books: reference, requestId, kind, amount, currency, status in the service's words.",
    input: z.strictObject({
      world,
      books: z.array(z.record(z.string(), z.json())).describe('one line for each payment'),
    }),
    operation: 'books.compare',
  }),
  tool({
    name: 'report',
    description:
      'What happened in a world, for a test that failed: the newest payments, explained, and what was refused.',
    input: z.strictObject({ world }),
    effect: 'reads',
    operation: 'run.report',
    run: async ({ world }, { ask }) => {
      const report = await ask(world, 'run.report', { format: 'json' })
      return reportText(report as ControlAnswer<'GET', '/report'>, asTool)
    },
  }),
  tool({
    name: 'list_operations',
    description:
      'Every operation of the control plane, for what no other tool does: its id, what it is for, and what it takes. Ask for one by ask_operation.',
    input: z.strictObject({
      search: z.string().optional().describe('only those with this in their id or summary, such as float'),
    }),
    effect: 'reads',
    run: async ({ search = '' }) => listed(search.toLowerCase()),
  }),
  tool({
    name: 'ask_operation',
    description: 'Asks for any operation of the control plane by its id, as list_operations tells it.',
    input: z.strictObject({
      world,
      operation: z.string().describe('such as float.fund'),
      with: z.record(z.string(), z.json()).optional().describe('its parameters: of path, query and body together'),
    }),
    effect: 'destroys',
    openWorld: true,
    run: ({ world, operation, with: parameters = {} }, { ask }) => ask(world, operation, parameters),
  }),
]

export function asTool({ operation, with: parameters }: ShownHint): string {
  const named = tools.find((tool) => tool.operation === operation)
  const input = named ? parameters : { operation, with: parameters }
  return [named?.name ?? 'ask_operation', ...(Object.keys(input).length > 0 ? [JSON.stringify(input)] : [])].join(' ')
}

async function listed(search: string) {
  const { operationFields, operations } = await import('../../server/operation-fields.ts')
  return [...operations.values()]
    .filter(({ id, summary }) => `${id} ${summary}`.toLowerCase().includes(search))
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
