/** mfano in workerd, for tests: bundled once a file, with a storage that outlives what is killed. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, onTestFinished } from 'vitest'
import { bundleWorker } from '../../install/workers-bundle.ts'
import { type ServedWorker, serveWorker } from '../../install/workers-serve.ts'

/** What mfano says there, or threw. */
const OURS = /^\{"level":"error"|Uncaught exception/

const bundles = new Map<string | undefined, Promise<string>>()
const folders: string[] = []
// Not when the process exits: it is killed.
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** The directory of a bundle. */
function bundle(entry: string | undefined): Promise<string> {
  const made = bundles.get(entry) ?? makeBundle(entry)
  bundles.set(entry, made)
  return made
}

async function makeBundle(entry: string | undefined): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'mfano-bundle-'))
  folders.push(directory)
  await bundleWorker(directory, entry)
  return directory
}

/** One that runs. */
export interface RunningWorkerd extends ServedWorker {
  baseUrl: string
  /** What it wrote to stderr. */
  said: string[]
  /** As `kill -9` does it. */
  kill(): Promise<void>
}

/**
 * Starts it on a free port. `data`: where all is stored; in memory without. `entry`, `flags`: of a worker around ours.
 */
export async function startWorkerd(
  options: { data?: string; variables?: Record<string, string>; entry?: string; flags?: readonly string[] } = {},
) {
  const said: string[] = []
  const { data = ':memory:', variables = {}, entry, flags = [] } = options
  const served = await serveWorker({
    bundle: await bundle(entry),
    port: 0,
    data,
    variables,
    flags,
    // Its own remarks aside, of a name that is looked up in vain, say.
    said: (line) => {
      if (OURS.test(line)) said.push(line)
    },
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
