import type { ChildProcess } from 'node:child_process'
import { realPause } from '../../hosts/node/wall.ts'
import { endGroup, type ProcessActivity, ProcessWatch, processorMsOf, startGroup } from './process-activity.ts'
import { MARK } from './system.ts'

const KEPT = 64_000
const TOLD_LINES = 15
/** Real milliseconds to wait for the output to close. A child that left the process group can hold it open for ever. */
const CLOSES_WITHIN_MS = 1_000

export interface PartCommand {
  /** A shell command, or a program with its arguments. */
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
  readonly #command: PartCommand
  readonly #output: ProcessOutput
  #child: ChildProcess
  #watch: ProcessWatch | undefined
  #closed: Promise<unknown> | undefined
  #ended: string | undefined
  #spentMs = 0
  #isKilled = false

  constructor(command: PartCommand, output: ProcessOutput) {
    this.#command = command
    this.#output = output
    this.#child = this.#spawn()
  }

  #spawn(): ChildProcess {
    const { command, folder, env, dir } = this.#command
    const child = startGroup(command, { ...env, ...(dir !== undefined && { [MARK]: dir }) }, folder)
    const output = this.#output
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => {
        output.said = (output.said + text).slice(-KEPT)
        if (stream === child.stderr) output.errors = (output.errors + text).slice(-KEPT)
      })
    this.#watch = child.pid === undefined ? undefined : new ProcessWatch(child.pid)
    this.#closed = new Promise((resolve) => child.once('close', resolve).once('error', resolve))
    child.on('error', (error) => {
      this.#ended = `could not be started: ${error.message}`
    })
    child.on('exit', (code, signal) => {
      this.#ended = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`
    })
    return child
  }

  get ended(): string | undefined {
    return this.#ended
  }

  get activity(): ProcessActivity | undefined {
    return this.#watch?.look()
  }

  /** Processor time of all that were started in this place, children included; undefined where the system does not say. */
  get processorMs(): number | undefined {
    const { pid } = this.#child
    const ms = pid === undefined || this.#isKilled || this.#ended !== undefined ? 0 : processorMsOf(pid)
    return ms === undefined ? undefined : this.#spentMs + ms
  }

  crash(): void {
    this.#spentMs = this.processorMs ?? this.#spentMs
    this.#isKilled = true
    endGroup(this.#child.pid)
  }

  async restart(): Promise<void> {
    // Something that it had asked for may have ended it once more when it was dead already: the one after it still lives.
    this.crash()
    await this.#dead()
    // The shell that was started is gone before what it started has let go of its port.
    await this.#silent()
    this.#watch?.close()
    this.#ended = undefined
    this.#isKilled = false
    this.#child = this.#spawn()
  }

  async stop(): Promise<void> {
    this.crash()
    await this.#dead()
    // Processes left of the app may still hold them open, and a process that is read from does not end.
    for (const stream of this.#child.stdio) stream?.destroy()
    this.#watch?.close()
  }

  get group(): number | undefined {
    return this.#child.pid
  }

  /** Null where a signal ended it, undefined where it could not be started. */
  async exitCode(): Promise<number | null | undefined> {
    await this.#dead()
    // Processes that it left behind would hold its output open.
    this.crash()
    await this.#silent()
    return this.#child.pid === undefined ? undefined : this.#child.exitCode
  }

  async #silent(): Promise<void> {
    await Promise.race([this.#closed, realPause(CLOSES_WITHIN_MS)])
  }

  async #dead(): Promise<void> {
    if (this.#ended !== undefined) return
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
  try {
    return await part.exitCode()
  } finally {
    signal.removeEventListener('abort', stop)
    await part.stop()
  }
}

export function lastLines(text: string): string {
  return text.trimEnd().split('\n').slice(-TOLD_LINES).join('\n')
}

export function lastSaid(said: string): string {
  const tail = lastLines(said)
  return tail === '' ? 'It said nothing.' : `The last that it said:\n${tail}`
}
