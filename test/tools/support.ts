/** The real command line in a process of its own, in a folder of its own. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export interface Ran {
  code: number
  out: string
  errors: string
}

/** A folder with files, gone with the test. */
export function folder(files: Record<string, string> = {}): string {
  const directory = mkdtempSync(join(tmpdir(), 'mfano-tools-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  return directory
}

const entry = new URL('../../src/cli.ts', import.meta.url).pathname
// MFANO_ variables of the developer's shell do not count.
const plain = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:MFANO_|PORT$|npm_)/.test(name)))

/** Runs `mfano scenario …` to its end. */
export function scenario(typed: string[], cwd = folder(), env: Record<string, string> = {}): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [entry, 'scenario', ...typed],
      { cwd, env: { ...plain, ...env } },
      (error, out, errors) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, errors })
      },
    )
  })
}
