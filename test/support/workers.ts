/** mfano in workerd, for tests: bundled once a file, with a storage that outlives what is killed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { bundleWorker } from '../../install/workers-bundle.ts'
import { type ServedWorker, serveWorker } from '../../install/workers-serve.ts'

let bundling: Promise<string> | undefined

/** The directory of the bundle. */
function bundle(): Promise<string> {
  bundling ??= (async () => {
    const directory = mkdtempSync(join(tmpdir(), 'mfano-bundle-'))
    process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
    await bundleWorker(directory)
    return directory
  })()
  return bundling
}

/** One that runs. */
export interface RunningWorkerd extends ServedWorker {
  baseUrl: string
  /** What it wrote to stderr. */
  said: string[]
  /** As `kill -9` does it. */
  kill(): Promise<void>
}

/** Starts it on a free port. `data`: where all is stored; in memory without. */
export async function startWorkerd(options: { data?: string; variables?: Record<string, string> } = {}) {
  const said: string[] = []
  const { data = ':memory:', variables = {} } = options
  const served = await serveWorker({
    bundle: await bundle(),
    port: 0,
    data,
    variables,
    said: (line) => said.push(line),
  })
  const kill = () => {
    served.process.kill('SIGKILL')
    return served.ended
  }
  return { ...served, baseUrl: `http://127.0.0.1:${served.port}`, said, kill } satisfies RunningWorkerd
}

/** A directory for the time of a test. */
export function storageDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'mfano-objects-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}
