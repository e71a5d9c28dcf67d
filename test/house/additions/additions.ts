/** What somebody may add to mfano, one of each, as they would write it: the files and lines that it takes. */

/** New text in a file: the whole file, or lines before or after a line that is there. */
interface Edit {
  file: string
  after?: string
  before?: string
  text: string
}

/** A kind of payment is in `../airtime`: a folder, and a line in a list. */
export const additions: Readonly<Record<string, readonly Edit[]>> = {
  'operation of the service': [
    {
      file: 'src/service/operations/wallet/motto.ts',
      text: `/** Tells the motto of the provider. */
import * as z from 'zod'
import { operation } from '../../../http/operation.ts'
import { enveloped } from '../../declared/answers.ts'
import { known, publishedEnvelope } from '../../fields.ts'

const motto = known('assumed', 'What the provider promises.', z.string())

export const readMotto = operation({
  id: 'getMotto',
  method: 'get',
  path: '/api/sandbox/v1/org/motto',
  tag: 'Wallet',
  summary: 'Read the motto of the provider',
  basis: 'assumed',
  source: 'house',
  auth: 'bearer',
  answer: {
    status: 200,
    description: 'The motto',
    schema: publishedEnvelope(200, 'SUCCESS', z.strictObject({ motto }).meta({ id: 'Motto', 'x-basis': 'assumed' })),
  },
  handle: () => enveloped(200, 'SUCCESS', { motto: 'Every shilling arrives' }),
})
`,
    },
    {
      file: 'src/service/service.ts',
      after: "import { tokenOperations } from './operations/token/routes.ts'",
      text: "import { readMotto } from './operations/wallet/motto.ts'\n",
    },
    { file: 'src/service/service.ts', after: '  ...walletRoutes,', text: '  readMotto,\n' },
  ],
  'control operation': [
    {
      file: 'src/server/control/wallets/drain-operations.ts',
      text: `/** Operations: taking money out of wallets by hand. */
import * as z from 'zod'
import { Refusal } from '../../../core/model/refusal.ts'
import { controlOperation } from '../declared-operation.ts'

const drainWallet = controlOperation('wallet.drain', {
  method: 'POST',
  path: '/wallets/drain',
  summary: 'Say what a wallet would hold without an amount',
  body: z.strictObject({
    amount: z.number().positive().describe('Major units.'),
    held: z.number().positive().describe('What it holds, in major units.'),
  }),
  answer: () => z.object({ left: z.number().describe('Major units.') }),
  errors: ['INSUFFICIENT_FUNDS'],
  run(_, { body: { amount, held } }) {
    if (amount > held) throw new Refusal('INSUFFICIENT_FUNDS', \`amount: at most \${held}, got \${amount}\`)
    return { left: held - amount }
  },
})

export const drainOperations = [drainWallet] as const
`,
    },
    {
      file: 'src/server/control-operations.ts',
      after: "import { statisticOperations } from './control/events/statistic-operations.ts'",
      text: "import { drainOperations } from './control/wallets/drain-operations.ts'\n",
    },
    { file: 'src/server/control-operations.ts', after: '  ...walletOperations,', text: '  ...drainOperations,\n' },
  ],
  finding: [
    {
      file: 'src/inspect/reconcile/findings/habit-findings.ts',
      after: 'export const callbackHabits = {',
      text: `  callback_redirected: {
    level: 'warning',
    meaning: 'The receiver answered a callback with 3xx, which nobody follows.',
    todo: 'Give the address at which the callback is taken.',
    sentence: (habit, zone) => \`A callback was sent elsewhere by its receiver \${seen(habit, zone)}\`,
    example: { times: 1, first, what: 'answered 302' },
    notice: ({ own }) => {
      const moved = own.find(({ status }) => status !== null && status >= 300 && status < 400)
      return moved && \`answered \${moved.status}\`
    },
  },
`,
    },
  ],
  'callback fault': [
    {
      file: 'src/core/model/callback-fault.ts',
      after: 'export const callbackFaults = {',
      text: `  half: fault({
    schema: z.literal(true).meta({ description: 'only the first half of the body arrives' }),
    tell: () => 'half of its body',
    send: ({ headers, body }) => ({ headers, body: body.slice(0, body.length / 2) }),
    refusable: true,
    met: { outcome: 'half-a-body', once: 'sent' },
    tries: { half: { risk: 'surprises', words: 'breaks off in the middle', then: { half: true } } },
  }),
`,
    },
  ],
  'response fault': [
    {
      file: 'src/core/model/response-fault-records.ts',
      after: 'export const responseFaults = {',
      text: `  html: fault({
    fields: { html: z.literal(true).optional().meta({ description: 'a page of HTML, as a proxy answers' }) },
    read: ({ html }) => html,
    print: () => 'a page of HTML',
    meet: () => ({ orders: {} }),
    tell: (_, kept) => (kept ? 'answered with a page of HTML' : undefined),
    send: ({ status, headers }) => ({
      status,
      headers: { ...headers, 'content-type': 'text/html' },
      text: '<h1>Service</h1>',
    }),
    way: 'body',
    covers: () => NOTHING,
    appSees: 'HTML where it expects JSON',
    tries: { html: { risk: 'surprises', words: 'is answered with a page of HTML', then: { html: true } } },
  }),
`,
    },
  ],
  choice: [
    {
      file: 'src/judge/explore/choices/tellings.ts',
      after: 'const added = {',
      text: `  thrice: { words: 'its callback comes three times', risk: 'repeats', callback: { duplicate: 3 } },
`,
    },
  ],
  mutation: [
    {
      file: 'src/judge/mutants/mutation-records.ts',
      after: 'export const fieldMutations: readonly FieldMutation[] = [',
      text: `  field(/^receipt$/i, () => ['another receipt', { anotherOf: ['QWERTY1234'] }]),
`,
    },
  ],
  assumption: [
    {
      file: 'src/service/assumed/transport.ts',
      after: 'export const transportAssumptions = {',
      text: `  'motto-case': {
    question: 'Is the motto told in capitals?',
    alternatives: ['as-written', 'capitals'],
    note: 'No source shows one.',
    area: 'answers',
    touches: { operations: ['getMotto'] },
  },
`,
    },
    {
      file: 'src/service/assumed/probes/transport-probes.ts',
      after: 'export const transportProbes = {',
      text: `  'motto-case': {
    ways: [
      {
        tier: 'free',
        steps: () => [get(\`\${API}/org/motto\`)],
        tells: ([seen]) => either(seen && /EVERY/.test(JSON.stringify(seen.body)), 'capitals', 'as-written'),
      },
    ],
  },
`,
    },
  ],
  country: [
    {
      file: 'src/service/countries/rwanda.ts',
      text: `/** Rwanda as the service might pay there. */
import { eastAfrican } from '../../core/model/calendar.ts'
import type { ServedCountry } from './served-country.ts'

export const rwanda = {
  code: 'RW',
  zone: eastAfrican('Africa/Kigali'),
  holidays: { sundaysMove: false, list: [{ name: 'New Year', on: '01-01' }] },
  currency: 'RWF',
  spelling: 'RWF',
  sign: 'RWF ',
  phone: { prefix: '250', pattern: /^2507\\d{8}$/, form: '250 and nine digits that start with 7' },
  networks: [{ name: 'MTN', prefixes: /^25078/ }],
  example: {
    phoneNumber: '250782362174',
    firstName: 'Jane',
    lastName: 'Mwangi',
    customerName: 'Jane Mwangi',
    narration: 'January wages',
  },
  givenNames: ['ALINE', 'ERIC'],
  surnames: ['UWASE', 'MUGISHA'],
} as const satisfies ServedCountry
`,
    },
    {
      file: 'src/service/countries/countries.ts',
      after: "import { kenya } from './kenya.ts'",
      text: "import { rwanda } from './rwanda.ts'\n",
    },
    { file: 'src/service/countries/countries.ts', after: 'const list = [kenya, ', text: 'rwanda, ' },
  ],
  command: [
    {
      file: 'src/apps/cli/motto-command.ts',
      text: `/** The command \`mfano motto\`. */
import { CLEAN, type CliCommand } from './command.ts'

export const mottoCommand: CliCommand = {
  name: 'motto',
  summary: 'Prints the motto.',
  flags: [],
  examples: ['mfano motto'],
  run: (_, { out }) => {
    out('Every shilling arrives\\n')
    return CLEAN
  },
}
`,
    },
    {
      file: 'src/apps/cli/tree.ts',
      after: "  version: ['Tools', 'Print the versions of mfano and Node.js.'],",
      text: "  motto: ['Tools', 'Prints the motto.'],\n",
    },
    {
      file: 'src/apps/cli/tree.ts',
      after:
        'const modules: Record<keyof typeof summaries, (service: LoadService) => Promise<CliCommand | CommandGroup>> = {',
      text: "  motto: async () => (await import('./motto-command.ts')).mottoCommand,\n",
    },
  ],
  scenario: [
    {
      file: 'scenarios/till-thrice.yaml',
      text: `# yaml-language-server: $schema=./scenario.schema.json
# What to do: book by the id of the payment.
# Risk: repeats
name: till-thrice
description: Callbacks of tills come three times.
callbacks: { faults: [{ name: thrice, on: till, then: { duplicate: 3 } }] }
`,
    },
  ],
}

export function linesOf(edits: readonly Edit[]): number {
  return edits.reduce((sum, { text }) => sum + text.split('\n').length - (text.endsWith('\n') ? 1 : 0), 0)
}

export function filesOf(edits: readonly Edit[]): string[] {
  return [...new Set(edits.map(({ file }) => file))]
}

export function edited(text: string, { file, after, text: added }: Edit): string {
  if (after === undefined) return added
  const at = text.indexOf(after)
  if (at < 0) throw new Error(`${file} has no line "${after}" any more`)
  const end = at + after.length
  return after.endsWith(' ')
    ? text.slice(0, end) + added + text.slice(end)
    : `${text.slice(0, end)}\n${added}${text.slice(end + 1)}`
}
