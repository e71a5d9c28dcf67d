/** What an agent can do with mfano: few tools, each a whole step of somebody's work. */
import * as z from 'zod'
import type { Control, ControlBody } from '../../client/control.ts'

/** The mfano that a tool works with. */
export interface ToolCall {
  /** The control plane of a world; of the default one without a name. */
  world(id: string | undefined): Control
  signal: AbortSignal
}

/** A tool: what it is for, what it takes, and what it answers, as text or as data. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string
  description: string
  input: Input
  /** It changes nothing. */
  readOnly?: true
  run(input: z.output<Input>, asked: ToolCall): Promise<unknown>
}

function tool<Input extends z.ZodObject>(about: Tool<Input>): Tool {
  return about as unknown as Tool
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
    run: (input, { world }) => world(undefined)('POST', '/worlds', { body: input as ControlBody<'POST', '/worlds'> }),
  }),
  tool({
    name: 'fork_world',
    description:
      'Makes a world that goes on from another one, with all that is there and due; neither knows of the other.',
    input: z.strictObject({
      from: z.string().describe('a world, or a snapshot as world/name'),
      id: z.string().optional(),
    }),
    run: (input, { world }) => world(undefined)('POST', '/worlds', { body: input as ControlBody<'POST', '/worlds'> }),
  }),
  tool({
    name: 'list_worlds',
    description: 'Which worlds there are, with their scenarios and clocks.',
    input: z.strictObject({}),
    readOnly: true,
    run: (_, { world }) => world(undefined)('GET', '/worlds'),
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
    run: ({ world: id, way, ...body }, { world }) =>
      world(id)('POST', '/collections/:way', { path: { way }, body: body as never }),
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
    readOnly: true,
    run: ({ world: id, limit = 20, ...query }, { world }) =>
      world(id)('GET', '/payments', { query: { ...query, limit } as never }),
  }),
  tool({
    name: 'explain_payment',
    description:
      'Why a payment is where it is: request, rule, rails, plan, transitions, ledger, callbacks and their answers; what it waits for and what to do.',
    input: z.strictObject({ world, payment: z.string().describe('its uuid, reference, receipt or request id') }),
    readOnly: true,
    run: ({ world: id, payment }, { world }) =>
      world(id).text('GET', '/payments/:id/explain', { path: { id: payment }, query: { format: 'text' } }),
  }),
  tool({
    name: 'settle',
    description:
      'Moves simulated time from one due event to the next, callbacks included, until nothing is pending or the time is spent; says what happened.',
    input: z.strictObject({ world, within: z.string().optional().describe('a length of simulated time such as 3d') }),
    run: ({ world: id, ...body }, { world }) => world(id)('POST', '/clock/settle', { body }),
  }),
  tool({
    name: 'advance_clock',
    description: 'Moves simulated time by a length such as 5m, through everything that falls due on the way.',
    input: z.strictObject({ world, by: z.string().describe('such as 90s, 5m or 2d') }),
    run: ({ world: id, by }, { world }) => world(id)('POST', '/clock/advance', { body: { by } }),
  }),
  tool({
    name: 'list_scenarios',
    description: 'The shipped scenarios: misfortunes that an integration should survive, by name and description.',
    input: z.strictObject({}),
    readOnly: true,
    run: async (_, { world }) => {
      const { scenarios } = await world(undefined)('GET', '/scenarios')
      return scenarios.map(({ name, description }) => ({ name, description }))
    },
  }),
  tool({
    name: 'lint_scenario',
    description:
      'Checks the text of a scenario and changes nothing: every problem with line, column, what was expected and the nearest known name.',
    input: z.strictObject({ world, text: z.string().describe('YAML or JSON') }),
    readOnly: true,
    run: ({ world: id, text }, { world }) => world(id)('POST', '/scenario/lint', { body: text } as never),
  }),
  tool({
    name: 'use_scenario',
    description: 'Puts a scenario in force in a world, for payments from now on.',
    input: z.strictObject({ world, scenario }),
    run: ({ world: id, scenario }, { world }) => world(id)('PUT', '/scenario', { body: scenario } as never),
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
    readOnly: true,
    run: ({ world: id, ...body }, { world }) => world(id)('POST', '/scenario/preview', { body: body as never }),
  }),
  tool({
    name: 'doctor',
    description: 'Whether callbacks sent from mfano would reach an address; if not, what is wrong and what to do.',
    input: z.strictObject({
      world,
      url: z.string(),
      send: z.string().optional().describe('a kind of payment: a sample callback about it is really sent'),
    }),
    run: ({ world: id, ...body }, { world }) => world(id)('POST', '/doctor', { body: body as never }),
  }),
  tool({
    name: 'reconcile',
    description:
      "Compares the books of an app with the ledger of a world: paid twice, unknown, stale, believed paid and failed, wrong amount, and what its requests alone say. A line of the books: reference, requestId, kind, amount, currency, status in the service's words.",
    input: z.strictObject({
      world,
      books: z.array(z.record(z.string(), z.json())).describe('one line for each payment'),
    }),
    readOnly: true,
    run: ({ world: id, books }, { world }) => world(id)('POST', '/reconcile', { body: { books } as never }),
  }),
  tool({
    name: 'report',
    description:
      'What happened in a world, for a test that failed: the newest payments, explained, and what was refused.',
    input: z.strictObject({ world }),
    readOnly: true,
    run: ({ world: id }, { world }) => world(id).text('GET', '/report', { query: { format: 'text' } }),
  }),
]
