/** What the benchmarks share: processes to measure, folders that go away, and ratios from interleaved rounds. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** A measured value with its bar, if it has one. */
export interface Figure {
  value: number
  unit?: '' | '×' | ' ms' | ' MB' | '/s'
  most?: number
  least?: number
}

/** One line of the table. */
export interface Row {
  what: string
  ours: string
  baseline?: string
  figures: readonly Figure[]
  /** The method, in one line. */
  how: string
}

export interface Plan {
  /** Small sizes, for a look; the budgets are meant for the full ones. */
  quick: boolean
}
export type Benchmark = (plan: Plan) => Promise<Row[]>

const root = join(import.meta.dirname, '../..')
let measured = root
const made: string[] = []
const running = new Set<ChildProcess>()

/** A folder for databases; removed when the run ends. */
export function folder(): string {
  const directory = mkdtempSync(join(tmpdir(), 'mfano-bench-'))
  made.push(directory)
  return directory
}

/** Removes a folder before the run ends: a million payments take a gigabyte. */
export function discard(directory: string): void {
  rmSync(directory, { recursive: true, force: true })
}

/** Ends what still runs and removes what was made. */
export function cleanUp(): void {
  for (const child of running) child.kill('SIGKILL')
  for (const directory of made.splice(0)) discard(directory)
}
process.on('exit', cleanUp)

/** A path of the project that is measured. */
export function path(relative: string): string {
  return join(measured, relative)
}

/** A script beside this file, the same whatever is measured. */
export function ownScript(name: string): string {
  return join(import.meta.dirname, name)
}

/** Measures another tree of the project: its program, its `fill.ts` and its `work.ts`. */
export async function measuring<T>(tree: string, work: () => Promise<T>): Promise<T> {
  measured = tree
  try {
    return await work()
  } finally {
    measured = root
  }
}

/** MFANO_ variables of the developer's shell do not count. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(?:MFANO_|PORT$|npm_|NODE_)/.test(name)),
)

/** A process of ours that says something on its first line and then serves until it is stopped. */
export class Service {
  readonly #child: ChildProcess
  readonly ready: { port: number }

  private constructor(child: ChildProcess, ready: { port: number }) {
    this.#child = child
    this.ready = ready
  }

  /** Runs `node …arguments`; resolves with the first line that names its port, in JSON or in an address. */
  static async start(nodeArguments: readonly string[], options: Options = {}): Promise<Service> {
    const child = node(nodeArguments, options)
    for await (const line of createInterface(child.stdout as NodeJS.ReadableStream)) {
      const [, port] = /(?:"port":|http:\/\/[^/:]+:)(\d+)/.exec(line) ?? []
      if (port === undefined) continue
      // What it says later is of no interest, but must not fill the pipe.
      child.stdout?.resume()
      return new Service(child, { port: Number(port) })
    }
    throw new Error(`${nodeArguments.join(' ')} ended before it was ready`)
  }

  url(below = ''): string {
    return `http://127.0.0.1:${this.ready.port}${below}`
  }

  /** Processor time it has used, in milliseconds; not a number where the system does not tell. */
  cpuMs(): number {
    const fields = this.#told('stat').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11]) + Number(fields[12])) * 10
  }

  /** Memory that it holds, in megabytes; not a number where the system does not tell. */
  residentMb(): number {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(this.#told('status'))?.[1] ?? Number.NaN) / 1000
  }

  /** What the system tells of it; nothing of one that is gone, or where it tells nothing. */
  #told(what: 'stat' | 'status'): string {
    try {
      return readFileSync(`/proc/${this.#child.pid}/${what}`, 'utf8')
    } catch {
      return ''
    }
  }

  stop(): Promise<void> {
    return this.#end('SIGTERM')
  }

  /** As if the power went: no signal that it could answer to. */
  kill(): Promise<void> {
    return this.#end('SIGKILL')
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = new Promise((resolve) => this.#child.once('close', resolve))
    this.#child.kill(signal)
    await ended
  }
}

/** Runs `node …arguments` to its end; gives what it printed. */
export async function finished(nodeArguments: readonly string[], options: Options = {}): Promise<string> {
  const child = node(nodeArguments, options)
  let said = ''
  child.stdout?.on('data', (text) => {
    said += text
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  if (code !== 0) throw new Error(`${nodeArguments.join(' ')} ended with ${code}: ${said}`)
  return said
}

/** Runs a script to its end; gives the JSON that it prints last. */
export async function inChild<T>(script: string, given: object, flags: readonly string[] = []): Promise<T> {
  const said = await finished([...flags, script, JSON.stringify(given)])
  return JSON.parse(said.trim().split('\n').at(-1) as string)
}

/** What a script was given by `inChild`. */
export function given<T>(): T {
  return JSON.parse(process.argv[2] as string)
}

interface Options {
  env?: NodeJS.ProcessEnv
}

function node(nodeArguments: readonly string[], { env: more = {} }: Options): ChildProcess {
  const child = spawn(process.execPath, [...nodeArguments], {
    cwd: measured,
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  running.add(child)
  child.once('close', () => running.delete(child))
  return child
}

/** What `npm start` tells Node about memory. */
export function nodeFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync(path('package.json'), 'utf8')) as { scripts: { start: string } }
  return scripts.start.split(' ').filter((word) => word.startsWith('--'))
}

/** What `npm start` runs, on a data directory, in a process of its own. */
export function startMfano(
  data: string,
  options: { env?: NodeJS.ProcessEnv; flags?: string[] } = {},
): Promise<Service> {
  const { env = {}, flags = [] } = options
  const program = path('bin/mfano.js')
  const words = [program, '--port', '0', '--data', data, '--log', 'off', ...flags]
  return Service.start([...nodeFlags(), ...words], { env })
}

/** What both sides of every round gave. */
export interface Rounds<A, B> {
  ours: A[]
  baseline: B[]
}

/** Measures both sides in turn, ours first in every other round, so that a drift of the machine hits both. */
export async function interleave<A, B>(
  rounds: number,
  ours: () => Promise<A>,
  baseline: () => Promise<B>,
): Promise<Rounds<A, B>> {
  const results: Rounds<A, B> = { ours: [], baseline: [] }
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) results.ours.push(await ours())
    results.baseline.push(await baseline())
    if (round % 2 === 1) results.ours.push(await ours())
  }
  return results
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length / 2
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number
}

/** The median of the rounds' ratios. */
export function ratioOf(ours: readonly number[], baseline: readonly number[]): number {
  return median(ours.map((value, round) => value / (baseline[round] as number)))
}

/** A ratio of two sides, each with a figure for each round. */
export function compared(
  { ours, baseline }: Rounds<number, number>,
  unit: string,
  ratio: number,
): Pick<Row, 'ours' | 'baseline'> & { value: number } {
  const shown = (values: readonly number[]) => `${median(values).toPrecision(3)} ${unit}`
  return { ours: shown(ours), baseline: shown(baseline), value: ratio }
}

/** `12,345` */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en')
}
