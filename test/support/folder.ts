import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A folder with files, gone with the test. */
export function folder(files: Record<string, string | Buffer> = {}): string {
  const directory = mkdtempSync(join(tmpdir(), 'mfano-test-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  return directory
}
