/** Files that are printed from the code and kept, each with what makes it. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Bench } from './harness.ts'
import { shownOutputs } from './print-outputs.ts'

const root = join(import.meta.dirname, '../..')
const biome = join(root, 'test/node_modules/@biomejs/biome/bin/biome')

export const printedFiles: Readonly<Record<string, (bench: Bench) => string | Promise<string>>> = {
  'src/apps/cli/outputs.gen.ts': outputsText,
}

/** What commands print, for their help. */
async function outputsText(bench: Bench): Promise<string> {
  const head = '/** The beginning of what commands print; `test/support/print-outputs.ts` runs them. */\n'
  const shown = JSON.stringify(await shownOutputs(bench))
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
