import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where this run keeps the packed package. */
    packed: string
  }
}

/** Before a run: a folder for the packed package, gone with the run. Nothing is packed until a test asks for it. */
export default function setup(project: TestProject): () => Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mfano-packed-'))
  project.provide('packed', folder)
  // In watch mode the sources are others now.
  project.onTestsRerun(async () => {
    for (const made of ['package', 'installed']) await rm(join(folder, made), { recursive: true, force: true })
  })
  // Not at once: it takes seconds, in which vitest would not notice that its workers have ended.
  return () => rm(folder, { recursive: true, force: true })
}
