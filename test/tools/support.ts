/** The command line: in a process and a folder of its own, or, where only its answer matters, in this process. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { runCommand } from '../../src/tools/run.ts'

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

/** Runs `mfano …` to its end. */
export function command(typed: string[], cwd = folder(), env: Record<string, string> = {}): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(process.execPath, [entry, ...typed], { cwd, env: { ...plain, ...env } }, (error, out, errors) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, errors })
    })
  })
}

/** The same in this process, which is much faster: no terminal, no colours, lines of `width` columns at most. */
export async function answer(typed: string[], width = Number.POSITIVE_INFINITY): Promise<Ran> {
  const ran = { code: 0, out: '', errors: '' }
  ran.code = await runCommand(typed, {
    out: (text) => {
      ran.out += text
    },
    error: (text) => {
      ran.errors += `mfano: ${text}\n`
    },
    paint: (_, text) => text,
    width,
    read: false,
    watched: false,
    progress: () => ({ at: () => {}, end: () => {} }),
  })
  return ran
}

/** Runs `mfano scenario …` to its end. */
export function scenario(typed: string[], cwd = folder(), env: Record<string, string> = {}): Promise<Ran> {
  return command(['scenario', ...typed], cwd, env)
}
