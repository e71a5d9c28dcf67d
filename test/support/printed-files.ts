/** Files that are printed from the code and kept, each with what makes it. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { outputs } from '../../src/apps/cli/outputs.gen.ts'
import { ensureSchema } from '../../src/core/schema.ts'
import { scenarioSchemaText } from '../../src/core/schema-text.ts'
import { openSqlite } from '../../src/hosts/node/sqlite.ts'
import { EXAMPLE_BASE_URL } from '../../src/service/examples/examples.ts'
import { paymentsService } from '../../src/service/service.ts'
import { scenario } from '../apps/cli/support.ts'
import { everyOperation, recordExamples } from '../service/contract/record-examples.ts'
import { assuming } from './contract.ts'
import type { Bench } from './harness.ts'
import { withMadeParts } from './made-docs.ts'
import { serviceClientText } from './print-client.ts'
import { shownOutputs } from './print-outputs.ts'

const root = join(import.meta.dirname, '../..')
const biome = join(root, 'test/node_modules/@biomejs/biome/bin/biome')

/** `made` parts of a page stand between `<!-- made: NAME -->` and `<!-- end -->`. */
const pages = readdirSync(join(root, 'src/docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `src/docs/${name}`)

export const printedFiles: Readonly<Record<string, (bench: Bench) => string | Promise<string>>> = {
  'src/service/examples/recorded.gen.ts': recordedText,
  'src/client/service.gen.ts': clientText,
  'src/apps/cli/outputs.gen.ts': outputsText,
  'scenarios/scenario.schema.json': () => scenarioSchemaText(paymentsService),
  'scenarios/README.md': async () => (await scenario(['list', '--format', 'markdown'])).out,
  'test/core/store/schema.sql': sqlText,
  ...Object.fromEntries(pages.map((page) => [page, () => withMadeParts(readFileSync(join(root, page), 'utf8'))])),
}

/** What a frozen world answers to every operation. */
async function recordedText(bench: Bench): Promise<string> {
  const world = await bench.world({ id: 'examples', seed: 1, ...assuming(everyOperation) })
  const recorded = await recordExamples(world, EXAMPLE_BASE_URL)
  const literal = recorded.replaceAll(/[\\`]|\$\{/g, '\\$&')
  return `/** What a frozen world answered; \`test/service/contract/record-examples.ts\` asks it. */
export const recordedExamples = \`${literal}\`
`
}

function clientText(): string {
  return formatted('src/client/service.gen.ts', serviceClientText())
}

/** What commands print, for their help. */
async function outputsText(bench: Bench): Promise<string> {
  const head = '/** The beginning of what commands print; `test/support/print-outputs.ts` runs them. */\n'
  const fresh = await shownOutputs(bench)
  // The pages that come after show them too.
  Object.assign(outputs, fresh)
  const shown = JSON.stringify(fresh)
  return formatted(
    'src/apps/cli/outputs.gen.ts',
    `${head}export const outputs: Readonly<Record<string, readonly string[]>> = ${shown}\n`,
  )
}

function formatted(path: string, input: string): string {
  return execFileSync(process.execPath, [biome, 'format', `--stdin-file-path=${path}`], {
    cwd: root,
    input,
    encoding: 'utf8',
  })
}

function sqlText(): string {
  const sql = openSqlite(':memory:')
  ensureSchema(sql)
  const statements = sql
    .prepare<{ sql: string }>('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name')
    .all()
  sql.close()
  return `${statements.map((row) => `${row.sql};`).join('\n\n')}\n`
}
