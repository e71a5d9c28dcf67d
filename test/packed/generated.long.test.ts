/** A clone generates what git does not keep, and again when a source has changed. */
import { execFileSync } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'

const root = join(import.meta.dirname, '../..')

it('generates at the first start, and again after a change alone', { timeout: 300_000 }, () => {
  const clone = mkdtempSync(join(tmpdir(), 'mfano-generated-'))
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }))
  for (const name of ['bin', 'install', 'scenarios', 'src', 'package.json', 'package-lock.json'])
    cpSync(join(root, name), join(clone, name), {
      recursive: true,
      filter: (path) => !/(?:recorded|service)\.gen\.ts$|\.schema\.json$/.test(path),
    })
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  const start = () => execFileSync(process.execPath, [join(clone, 'bin/mfano.js'), 'version'], { encoding: 'utf8' })
  const note = join(clone, 'dist/generated.json')
  const generatedMs = () => statSync(note).mtimeMs

  expect(start()).toMatch(/^mfano \d/)
  const { files }: { files: string[] } = JSON.parse(readFileSync(note, 'utf8'))
  expect(files).toContain('src/service/examples/recorded.gen.ts')
  for (const file of files) expect(readFileSync(join(clone, file), 'utf8'), file).not.toContain('shows this part at')
  const first = generatedMs()
  start()
  expect(generatedMs()).toBe(first)

  appendFileSync(join(clone, 'src/docs/settings.md'), 'Added.\n')
  start()
  expect(readFileSync(join(clone, 'dist/docs/settings.md'), 'utf8')).toMatch(/--admin-token[\s\S]*Added\.\n$/)

  rmSync(join(clone, 'scenarios/scenario.schema.json'))
  start()
  expect(existsSync(join(clone, 'scenarios/scenario.schema.json'))).toBe(true)
})
