/** The real program in a process of its own, for tests that end it the hard way. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { entry } from './program-entry.ts'

/** A mfano that was started. */
export interface Program {
  child: ChildProcess
  /** Its first line of output, when it is ready. */
  ready(): Promise<{
    baseUrl: string
    port: number
    credentials: { apiKey: string; apiSecret: string; companyId: string }
  }>
  /** How it ended, and what it said then. */
  ended: Promise<{ code: number | null; errors: string }>
  /** As if the power went: no signal that it could answer to. */
  kill(): Promise<void>
}

/** Runs `mfano` with flags; MFANO_ variables of the developer's shell do not count. Gone with the test. */
export function mfano(...flags: string[]): Program {
  return mfanoUnder([], ...flags)
}

/** The same below another command, such as one that sets limits, or with options of Node before it. */
export function mfanoUnder(under: readonly string[], ...flags: string[]): Program {
  return started([...under, process.execPath, entry, ...flags, '--log', 'off', '--json'])
}

/** The same with nothing but the words that are given. */
export function mfanoAsTyped(...words: string[]): Program {
  return started([process.execPath, entry, ...words])
}

function started([command, ...rest]: string[]): Program {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(?:MFANO_|PORT$|npm_)/.test(name)))
  const child = spawn(command as string, rest, { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (text) => {
    errors += text
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const ended = once(child, 'close').then(([code]) => ({ code, errors }))
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
  }
  onTestFinished(kill)
  const ready = async () => {
    const { value } = await lines.next()
    if (value === undefined) throw new Error(`mfano did not start: ${(await ended).errors}`)
    return JSON.parse(value)
  }
  return { child, ready, ended, kill }
}
