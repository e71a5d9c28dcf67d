/** The command `mfano exec`. */
import { spawn } from 'node:child_process'
import { FileTime, findFaketime } from '../clock/file-time.ts'
import { joinHere } from '../clock/join-here.ts'
import { type CliCommand, CommandFailed, USAGE, urlFlag, worldFlag } from './command.ts'
import { serverOf } from './server.ts'

const LEASE = '10s'
/** As a shell has it: nothing of that name could be run. */
const NOT_FOUND = 127

/** `mfano exec`: a program that reads the world's time. */
export const execCommand: CliCommand = {
  name: 'exec',
  words: 'COMMAND…',
  summary:
    'Runs a program whose clock shows the time of a world, by libfaketime, and moves it with the world. It stands behind --. Its timers do not follow: sleep and time-outs may end at once. The exit code is that of the program; 2: this machine has no libfaketime.',
  flags: [urlFlag, worldFlag],
  examples: ['mfano exec --world shop -- python app.py', 'mfano exec -- date'],
  run: async (given, output) => {
    const library = findFaketime()
    if (library === undefined)
      throw new CommandFailed(
        'This machine has no libfaketime.',
        'Install it: apt install faketime, or brew install libfaketime. A Node app needs none: node --import mfano/clock app.js',
        { code: 'NO_FAKETIME', exitCode: USAGE },
      )
    const [program = '', ...words] = given.words
    const server = serverOf(given)
    // Says so where nobody answers, or there is no such world.
    await server.control('GET', '/clock')
    const times: FileTime[] = []
    const leave = await joinHere(
      { baseUrl: server.baseUrl, adminToken: process.env['MFANO_ADMIN_TOKEN'] || undefined },
      {
        name: program,
        lease: LEASE,
        other: async (nowMs) => {
          const time = new FileTime(nowMs)
          times.push(time)
          return time
        },
      },
    )
    output.error(
      `${program} reads the time of the world. Its timers do not follow it: sleep and time-outs may end at once.`,
    )
    try {
      return await run(program, words, times[0]?.env(library) ?? {})
    } finally {
      await leave()
    }
  },
}

function run(program: string, words: readonly string[], env: Record<string, string>): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(program, words, { env: { ...process.env, ...env }, stdio: 'inherit' })
    child.once('error', () => resolve(NOT_FOUND))
    child.once('exit', (code, signal) => resolve(signal === null ? (code ?? 1) : 128))
  })
}
