/** A release, made of a clone. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'

const root = join(import.meta.dirname, '../..')
const clone = mkdtempSync(join(tmpdir(), 'mfano-release-'))
const git = (...words: string[]) => execFileSync('git', words, { cwd: clone, encoding: 'utf8' }).trim()
const read = (file: string) => readFileSync(join(clone, file), 'utf8')
/** `npm run release -- …`, of a commit that somebody tested. */
function release(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['install/release.ts', ...words, '--tested'], {
    cwd: clone,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' },
  })
  return { status, said: stdout, failed: stderr }
}

// Each builds.
vi.setConfig({ testTimeout: 300_000 })

beforeAll(() => {
  const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  })
  for (const file of tracked.trim().split('\n'))
    if (existsSync(join(root, file))) cpSync(join(root, file), join(clone, file), { recursive: true })
  for (const tools of ['node_modules', 'test/node_modules']) symlinkSync(join(root, tools), join(clone, tools))
  git('init', '--quiet')
  git('config', 'user.name', 'Release')
  git('config', 'user.email', 'release@merchant.example')
  appendFileSync(join(clone, '.git/info/exclude'), '/node_modules\n/test/node_modules\n*.tgz\n')
  writeFileSync(
    join(clone, 'CHANGELOG.md'),
    '# Changes\n\n## Unreleased\n\n- Something that a user notices.\n\n## 0.0.1\n\n- The first.\n',
  )
  git('add', '--all')
  git('commit', '--quiet', '--message', 'Everything')
})
afterAll(() => rmSync(clone, { recursive: true, force: true }))

it('refuses what is no release, and changes nothing', () => {
  expect(release('next')).toMatchObject({ status: 1, failed: expect.stringMatching(/Say which version: .*Got "next"/) })
  expect(release('0.0.9').failed).toMatch(/0\.0\.9 is not newer than 0\.1\.0/)
  writeFileSync(join(clone, 'stray.txt'), 'left over')
  expect(release('0.2.0').failed).toMatch(/not committed first:\n\?\? stray\.txt/)
  rmSync(join(clone, 'stray.txt'))
  expect(git('status', '--porcelain')).toBe('')
  expect(git('tag')).toBe('')
})

it('writes version and changes down, packs, checks, commits and tags', () => {
  const { status, said, failed } = release('0.2.0')
  expect({ status, failed }).toMatchObject({ status: 0 })
  expect(said).toMatch(/npm publish mfano-0\.2\.0\.tgz\n {2}docker build -t mfano:0\.2\.0 -t mfano:latest \./)
  expect(existsSync(join(clone, 'mfano-0.2.0.tgz'))).toBe(true)
  expect(JSON.parse(read('package.json')).version).toBe('0.2.0')
  expect(JSON.parse(read('package-lock.json')).version).toBe('0.2.0')
  expect(read('CHANGELOG.md')).toMatch(
    /## Unreleased\n\n## 0\.2\.0 \(\d{4}-\d\d-\d\d\)\n\n- Something that a user notices\.\n\n## 0\.0\.1/,
  )
  expect(git('log', '-1', '--format=%s')).toBe('Release 0.2.0')
  expect(git('tag')).toBe('v0.2.0')
  expect(git('status', '--porcelain')).toBe('')
  expect(release('0.3.0').failed).toMatch(/nothing under "## Unreleased"/)
})
