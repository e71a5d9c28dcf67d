import { type ChildProcess, spawn } from 'node:child_process'
import { realPause } from '../../hosts/node/wall.ts'
import { MARK, type ProcessActivity, ProcessWatch, processorMsOf } from './system.ts'

const KEPT = 64_000
const TOLD_LINES = 15
/** Real milliseconds to wait for the output to close. A child that left the process group can hold it open for ever. */
const CLOSES_WITHIN_MS = 1_000

export interface PartCommand {
  /** A shell command, or a program with its arguments. One that cannot run exits with 126 or 127, as in a shell. */
  command: string | readonly string[]
  folder?: string
  env: NodeJS.ProcessEnv
  /** The folder of the app that it is a part of. */
  dir?: string
}

export interface ProcessOutput {
  said: string
  errors: string
}

export class AppPart {
  readonly #child: ChildProcess
  readonly #watch: ProcessWatch | undefined
  readonly #closed: Promise<unknown>
  /** How it ended, in words. */
  ended: string | undefined
  isKilled = false

  constructor({ command, folder, env, dir }: PartCommand, output: ProcessOutput) {
    const [run, words] = typeof command === 'string' ? ['eval "$1"', [command]] : ['"$@"', command]
    const child = spawn('/bin/sh', ['-c', WATCHDOG + run, 'sh', ...words], {
      cwd: folder,
      env: { ...env, ...(dir !== undefined && { [MARK]: dir }) },
      // Whatever it starts ends with it.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    })
    // Read to its end, so that the child is known to be closed.
    const pipe = child.stdio[3]
    pipe?.on('error', () => {})
    if (pipe && 'resume' in pipe) pipe.resume()
    if (child.pid !== undefined) running.add(child.pid)
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => {
        output.said = (output.said + text).slice(-KEPT)
        if (stream === child.stderr) output.errors = (output.errors + text).slice(-KEPT)
      })
    this.#child = child
    this.#watch = child.pid === undefined ? undefined : new ProcessWatch(child.pid)
    this.#closed = new Promise((resolve) => child.once('close', resolve).once('error', resolve))
    child.on('error', (error) => {
      this.ended = `could not be started: ${error.message}`
    })
    child.on('exit', (code, signal) => {
      this.ended = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`
    })
  }

  get activity(): ProcessActivity | undefined {
    return this.#watch?.look()
  }

  /** Children included; undefined where the system does not say. */
  get processorMs(): number | undefined {
    const { pid } = this.#child
    return pid === undefined || this.isKilled || this.ended !== undefined ? 0 : processorMsOf(pid)
  }

  crash(): void {
    usedMs += this.processorMs ?? 0
    this.isKilled = true
    endGroup(this.#child.pid)
  }

  async stop(): Promise<void> {
    this.crash()
    await this.#dead()
    // Processes left of the app may still hold them open, and a process that is read from does not end.
    for (const stream of this.#child.stdio) stream?.destroy()
    this.#watch?.close()
  }

  /** The shell that was started is gone before what it started has said its last, and let go of its port. */
  async stopWhenSilent(): Promise<void> {
    this.crash()
    await Promise.race([this.#closed, realPause(CLOSES_WITHIN_MS)])
    await this.stop()
  }

  /** Null where a signal ended it, undefined where it could not be started. Ends what it left behind. */
  async exitCode(): Promise<number | null | undefined> {
    await this.#dead()
    await this.stopWhenSilent()
    return this.#child.pid === undefined ? undefined : this.#child.exitCode
  }

  async #dead(): Promise<void> {
    if (this.ended !== undefined) return
    await new Promise((resolve) => this.#child.once('exit', resolve).once('error', resolve))
  }
}

/** The exit code; null where a signal ended it, undefined where it was not started. */
export async function runToEnd(
  command: PartCommand,
  output: ProcessOutput,
  signal: AbortSignal,
): Promise<number | null | undefined> {
  if (signal.aborted) return undefined
  const part = new AppPart(command, output)
  const stop = () => part.crash()
  signal.addEventListener('abort', stop)
  return part.exitCode().finally(() => signal.removeEventListener('abort', stop))
}

/** Processor time in seconds of all programs that mfano ended, not of those that ended themselves; 0 where the system does not say. */
export function secondsUsed(): number {
  return usedMs / 1000
}

export function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-TOLD_LINES).join('\n')
}

export function lastSaid(said: string): string {
  const tail = lastLines(said)
  return tail === '' ? 'It said nothing.' : `The last that it said:\n${tail}`
}

// A program is in a process group that ends with this process, even after SIGKILL.

/** Runs beside the program, and kills the group when the pipe from mfano closes, even if mfano gets a SIGKILL. */
const WATCHDOG = '(read -r line <&3; kill -9 -$$) </dev/null >/dev/null 2>&1 & exec 3<&-; '

const running = new Set<number>()
let usedMs = 0
process.on('exit', endGroups)

export function endGroups(): void {
  running.forEach(endGroup)
}

/** Kills the program and all its children at once, so that a crash is as sudden as a power failure. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return
  running.delete(pid)
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It is gone.
  }
}
