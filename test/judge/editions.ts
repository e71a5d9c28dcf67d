import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder } from '../apps/cli/support.ts'

/** By the mistake that its program knows as `BUG`; its merchant file. `edit` changes that file's text. */
export function edition(app: string, bug: string, edit = (text: string) => text): string {
  const copy = folder()
  const from = app === 'duka' ? 'explore/planted' : `../merchants/${app}`
  cpSync(join(import.meta.dirname, from), copy, { recursive: true })
  const file = join(copy, 'merchant.yaml')
  const text = readFileSync(file, 'utf8').replaceAll('command: node', `command: ${process.execPath}`)
  writeFileSync(file, edit(text.replace(/^ {2}env:\n/m, `$&    BUG: "${bug}"\n`)))
  return file
}

/** A merchant in one of whose files each text is there once, and becomes another; its merchant file. */
function mistaken(merchant: string, file: string, ...changes: readonly [from: string, to: string][]): string {
  const copy = folder()
  cpSync(join(import.meta.dirname, '../merchants', merchant), copy, { recursive: true })
  let text = readFileSync(join(copy, file), 'utf8')
  for (const [from, to] of changes) {
    if (text.split(from).length !== 2) throw new Error(`${file} does not have exactly once: ${from}`)
    text = text.replace(from, () => to)
  }
  writeFileSync(join(copy, file), text)
  return join(copy, 'merchant.yaml')
}

export const plainWith = (...changes: [from: string, to: string][]) => mistaken('plain', 'payroll.py', ...changes)
