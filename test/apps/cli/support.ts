/** The command line: in a process and a folder of its own, or, where only its answer matters, in this process. */
import { execFile } from 'node:child_process'
import { expect } from 'vitest'
import type { Output } from '../../../src/apps/cli/output.ts'
import { runCommand } from '../../../src/apps/cli/run.ts'
import { folder } from '../../support/folder.ts'
import type { Bench, TestWorld } from '../../support/harness.ts'
import { entry } from '../../support/program-entry.ts'

export { folder }

export interface Ran {
  code: number
  out: string
  errors: string
}

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

/** Runs a command in this process, which is much faster: no terminal, no colours, lines of `width` columns at most. */
export async function answer(typed: string[], width = Number.POSITIVE_INFINITY): Promise<Ran> {
  const ran = { code: 0, out: '', errors: '' }
  const output: Output = {
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
  }
  ran.code = await runCommand(typed, output)
  return ran
}

/** Runs `mfano scenario …` to its end, in this process as `answer` does, in a folder. */
export async function scenario(typed: string[], cwd = folder()): Promise<Ran> {
  const before = process.cwd()
  process.chdir(cwd)
  try {
    return await answer(['scenario', ...typed])
  } finally {
    process.chdir(before)
  }
}

/** What somebody types, as words; single quotes keep spaces together. */
export const words = (typed: string) => [...typed.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word)

/** Commands that ask a world of a bench, each as somebody types it. */
export function asking(bench: Bench) {
  const at = (world: TestWorld) => ['--url', bench.simulator.baseUrl, '--world', world.id]
  /** What a command prints for people; it must have gone well. */
  const said = async (world: TestWorld, typed: string, width?: number) => {
    const ran = await answer([...words(typed), ...at(world)], width)
    expect(ran, ran.errors).toMatchObject({ code: 0, errors: '' })
    return ran.out
  }
  /** What it prints for programs. */
  const json = async (world: TestWorld, typed: string) => JSON.parse(await said(world, `${typed} --json`))
  return { at, said, json }
}
