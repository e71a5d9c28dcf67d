/** Every file that is generated, with its content. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type AnyControl, controlOf, type MadeWorld } from '../../src/client/control.ts'
import { parseWire } from '../../src/core/model/json.ts'
import { scenarioSchemaText } from '../../src/core/schema-problems.ts'
import { silentLog } from '../../src/hosts/node/log.ts'
import { settingsOf } from '../../src/hosts/node/settings.ts'
import { startSimulator } from '../../src/hosts/node/simulator.ts'
import type { ContractExamples } from '../../src/http/contract.ts'
import { merchantSchemaText } from '../../src/judge/app/merchant-file.ts'
import { toldOperations } from '../../src/server/operation-fields.ts'
import { BASE_URL } from '../../src/server/pages/filled.ts'
import { EXAMPLE_BASE_URL } from '../../src/service/examples/examples.ts'
import { paymentsService } from '../../src/service/service.ts'
import { serviceClientText } from './client.ts'
import { withMadeParts } from './documents.ts'
import { everyOperation, recordExamples } from './examples.ts'
import { docsFiles } from './pages/pages.ts'

const docs = join(import.meta.dirname, '../../src/docs')

/** In `dist/made` are those pages of documentation that have generated parts, in `dist/docs.json.gz` all as they are served. */
export async function generatedFiles(): Promise<Record<string, string | Uint8Array>> {
  const recorded = await recordedAnswers()
  const merchantSchema = merchantSchemaText()
  const files: Record<string, string | Uint8Array> = {
    'src/service/examples/recorded.gen.ts': recordedText(recorded),
    'src/client/service.gen.ts': serviceClientText(),
    'src/apps/cli/operations.gen.ts': operationsText(),
    'src/apps/dashboard/lists.gen.ts': listsText(),
    'scenarios/scenario.schema.json': scenarioSchemaText(paymentsService),
    'scenarios/merchant.schema.json': merchantSchema,
  }
  const texts: Record<string, string> = {}
  for (const name of readdirSync(docs).filter((one) => one.endsWith('.md'))) {
    const text = readFileSync(join(docs, name), 'utf8')
    const made = await withMadeParts(text)
    if (made !== text) files[`dist/made/${name}`] = made
    texts[name] = made
  }
  const examples = parseWire(recorded.replaceAll(EXAMPLE_BASE_URL, BASE_URL)) as ContractExamples
  const served = { ...(await docsFiles(texts, examples)), 'merchant.schema.json': merchantSchema }
  files['dist/docs.json.gz'] = gzipSync(JSON.stringify(served))
  return files
}

/** The operations that are commands, as JSON, which is read faster than code. */
function operationsText(): string {
  return `import type { OperationDescription } from '../../server/operation-fields.ts'

export const toldOperations: readonly OperationDescription[] = JSON.parse(
  ${JSON.stringify(JSON.stringify(toldOperations))},
)\n`
}

/** Fields of a list's query that filter nothing. */
const NO_FILTERS = ['before', 'format', 'limit']

const FORMS = [
  'books.compare',
  'inbox.change',
  'organisation.change',
  'run.start',
  'scenario.explain',
  'snapshot.save',
  'wallet.fund',
  'world.create',
]

/** The lists that are declared, and the fields of some operations, as the dashboard needs them. */
function listsText(): string {
  const lists = toldOperations.flatMap(({ id, path, list, fields, isOfServer }) => {
    if (!list) return []
    const { rows, name, columns } = list
    const query = fields.filter((field) => field.in === 'query')
    const filters = query.flatMap(({ name: of, schema }) => (NO_FILTERS.includes(of) ? [] : [[of, schema.enum ?? []]]))
    const hasPages = query.some((field) => field.name === 'limit')
    return [[id, { name, path, hasPages, isOfServer, rows, columns, filters: Object.fromEntries(filters) }]]
  })
  const forms = toldOperations.flatMap(({ id, method, path, fields, isOfServer }) =>
    FORMS.includes(id) ? [[id, { method, path, isOfServer, fields }]] : [],
  )
  return `import type { Columns, OperationDescription } from '../../server/operation-fields.ts'

interface DeclaredList {
  name: string
  path: string
  hasPages: boolean
  isOfServer: boolean
  /** The field of the answer that has the rows. */
  rows: string
  columns: Columns
  /** The values of each, if they are known. */
  filters: Readonly<Record<string, readonly string[]>>
}

export const declaredLists: Readonly<Record<string, DeclaredList>> = ${JSON.stringify(Object.fromEntries(lists))}

type DeclaredForm = Pick<OperationDescription, 'method' | 'path' | 'isOfServer' | 'fields'>

export const declaredForms: Readonly<Record<string, DeclaredForm>> = ${JSON.stringify(Object.fromEntries(forms))}\n`
}

/** The answers of a frozen world to every operation. */
async function recordedAnswers(): Promise<string> {
  const simulator = await startSimulator(settingsOf({ port: '0', data: ':memory:', log: 'off' }), silentLog)
  const control: AnyControl = controlOf(simulator.baseUrl)
  const scenario = {
    name: 'examples',
    description: 'The default world with every operation.',
    extends: 'default',
    assumptions: everyOperation,
  }
  const clock = { mode: 'frozen', start: '2025-01-24T16:28:00Z' }
  const made = await control<MadeWorld>('POST', '/worlds', { body: { id: 'examples', seed: 1, clock, scenario } })
  const recorded = await recordExamples({ ...made, inside: simulator.worlds.get(made.id) }, EXAMPLE_BASE_URL)
  await simulator.close()
  return recorded
}

function recordedText(recorded: string): string {
  const literal = recorded.replaceAll(/[\\`]|\$\{/g, '\\$&')
  return `/** The answers of a frozen world. */
export const recordedExamples = \`${literal}\`\n`
}
