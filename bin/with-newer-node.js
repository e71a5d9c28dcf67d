// @ts-check
// For a Node that does not run mfano, and reads this file: a clone has a newer one fetched, a package says what to do.
import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** @param {string} unfit What is the matter with this Node. */
export function withNewerNode(unfit) {
  if (existsSync(new URL('../src/apps/cli.ts', import.meta.url))) {
    import('../install/newer-node.js').then(({ runWithNewerNode }) => runWithNewerNode(process.argv.slice(1)))
    return
  }
  const program = fileURLToPath(new URL('mfano.js', import.meta.url))
  const words = [relative(process.cwd(), program).replace(/\\/g, '/'), ...process.argv.slice(2)]
  const quoted = words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replace(/'/g, "'\\''")}'`))
  process.stderr.write(`${unfit}. Run it with a newer one: npx node@24 ${quoted.join(' ')}\n`)
  process.exitCode = 1
}
