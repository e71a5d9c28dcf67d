/** `mfano exec`: runs a program on the world's clock. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { must } from '../../core/model/must.ts'
import { FileTime, findFaketime } from '../clock/file-time.ts'
import { joinHere } from '../clock/join-here.ts'
import { type CliCommand, CommandFailed, USAGE, urlFlag, worldFlag } from './command.ts'
import { serverOf } from './server.ts'

const LEASE = '10s'
/** Exit codes of a shell: no such program, or ended by a signal. */
const NOT_FOUND = 127
const BY_SIGNAL = 128
const TIMERS = 'Sleeps and timeouts still take real time.'

export const execCommand: CliCommand = {
  name: 'exec',
  words: 'COMMAND…',
  summary: "Run a program on a world's clock.",
  about: `Put the program behind --. Its clock is set by libfaketime and moves with the world. ${TIMERS} The exit code is the program's. 2 means that libfaketime is missing.`,
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
    output.error(`${program} reads the world's time. ${TIMERS}`)
    try {
      return await run(program, words, times[0]?.env(library) ?? {})
    } finally {
      await leave()
    }
  },
}

function run(program: string, words: readonly string[], env: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    // Whoever ends this process means the program, from its first moment on. A terminal sends its Ctrl-C to both.
    const pass = (signal: NodeJS.Signals) => void child.kill(signal)
    const stay = () => {}
    process.on('SIGTERM', pass).on('SIGHUP', pass).on('SIGINT', stay)
    const child = spawn(program, words, { env: { ...process.env, ...env }, stdio: 'inherit' })
    const over = () => void process.off('SIGTERM', pass).off('SIGHUP', pass).off('SIGINT', stay)
    child.once('error', ({ message }) => {
      over()
      reject(new CommandFailed(`${program} could not be started: ${message}.`, '', { exitCode: NOT_FOUND }))
    })
    child.once('exit', (code, signal) => {
      over()
      resolve(code ?? BY_SIGNAL + constants.signals[must(signal)])
    })
  })
}
