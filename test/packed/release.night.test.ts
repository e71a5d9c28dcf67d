/** A release, made of a clone. */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { isNight } from '../support/night.ts'

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
  appendFileSync(join(clone, '.git/info/exclude'), '/node_modules\n/test/node_modules\n*.tgz\n/release\n')
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
  expect(release('0.2.0').failed).toMatch(
    /Edit and commit install\/names\.json first:\n.*"image" is "mfano"; expected.*\n"repository" is null/,
  )
  expect(git('status', '--porcelain')).toBe('')
  expect(git('tag')).toBe('')
})

if (isNight)
  it('makes everything in a dry run, and changes nothing', () => {
    const { status, said, failed } = release('0.2.0', '--dry-run')
    expect({ status, failed }).toMatchObject({ status: 0 })
    expect(said).toMatch(/0\.2\.0 could be released; this was a dry run\. In release\/0\.2\.0:/)
    const steps = [...said.matchAll(/^ {2}(\d+)\. (.*)$/gm)].map(([, number, step]) => `${number} ${step}`)
    expect(steps).toEqual([
      '1 edit install/names.json: "image" is "mfano"; expected a name with its registry or owner, such as OWNER/mfano',
      '2 edit install/names.json: "repository" is null; expected where mfano lives, an https address',
      '3 npm run release -- 0.2.0',
      '4 cd release/0.2.0 && sha256sum --check SHA256SUMS',
      '5 git push --follow-tags',
      '6 npm login && npm publish mfano-0.2.0.tgz --access public',
      ...(said.includes('There is no image: ')
        ? []
        : [expect.stringMatching(/^7 docker load .* docker push mfano:0\.2\.0$/)]),
      expect.stringMatching(/^\d edit install\/names\.json: "published": true/),
    ])
    expect(git('status', '--porcelain')).toBe('')
    expect(git('tag')).toBe('')
    expect(JSON.parse(read('package.json')).version).toBe('0.1.0')
  })

it('writes version and changes down, makes, checks, commits and tags', () => {
  const names = {
    ...JSON.parse(read('install/names.json')),
    image: 'images.example/payments/mfano',
    repository: 'https://git.example/payments/mfano',
  }
  writeFileSync(join(clone, 'install/names.json'), JSON.stringify(names))
  git('commit', '--quiet', '--all', '--message', 'Say where it lives')
  const { status, said, failed } = release('0.2.0')
  expect({ status, failed }).toMatchObject({ status: 0 })
  expect(said).toMatch(
    /0\.2\.0 is committed and tagged v0\.2\.0[\s\S]* {2}2\. git push --follow-tags\n {2}3\. npm login && npm publish mfano-0\.2\.0\.tgz --access public\n/,
  )
  // Where no container engine is, it says so.
  const hasImage = existsSync(join(clone, 'release/0.2.0/image.tar'))
  expect(said.includes('There is no image: ')).toBe(!hasImage)
  const made = readdirSync(join(clone, 'release/0.2.0')).filter((name) => name !== 'image.tar')
  expect(made.sort()).toEqual(['SHA256SUMS', 'changes.md', 'mfano-0.2.0.tgz', 'package.spdx.json'])
  execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: join(clone, 'release/0.2.0') })
  expect(read('release/0.2.0/changes.md')).toMatch(/^## 0\.2\.0 \(.*\)\n\n- Something that a user notices\.\n$/)
  const materials = JSON.parse(read('release/0.2.0/package.spdx.json')).packages as { name: string }[]
  expect(materials.map(({ name }) => name)).not.toContain('typescript')
  expect(materials.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['mfano', 'better-sqlite3', 'yaml', 'hono', 'zod']),
  )

  const { version, repository } = JSON.parse(read('package.json'))
  expect({ version, repository }).toEqual({
    version: '0.2.0',
    repository: { type: 'git', url: 'git+https://git.example/payments/mfano.git' },
  })
  expect(JSON.parse(read('package-lock.json')).version).toBe('0.2.0')
  for (const file of ['clients/python/pyproject.toml', 'clients/java/pom.xml', 'src/docs/install.md'])
    expect(read(file), file).toContain('0.2.0')
  expect(read('CHANGELOG.md')).toMatch(
    /## Unreleased\n\n## 0\.2\.0 \(\d{4}-\d\d-\d\d\)\n\n- Something that a user notices\.\n\n## 0\.0\.1/,
  )
  expect(git('log', '-1', '--format=%s')).toBe('Release 0.2.0')
  expect(git('tag')).toBe('v0.2.0')
  expect(git('status', '--porcelain')).toBe('')
  expect(release('0.3.0').failed).toMatch(/nothing under "## Unreleased"/)
})

it('is published by a workflow that runs what there is', () => {
  const { jobs } = parse(readFileSync(join(root, '.github/workflows/publish.yml'), 'utf8'))
  const steps = jobs.publish.steps as { run?: string; uses?: string }[]
  for (const { run, uses } of steps) expect([run, uses].filter(Boolean)).toHaveLength(1)
  const shell = steps.map(({ run = '' }) => run)
  const [image = ''] = shell.filter((line) => line.includes('names.json'))
  const file = join(clone, 'env')
  execFileSync('bash', ['-ec', image], { cwd: root, env: { ...process.env, GITHUB_ENV: file } })
  expect(read('env')).toBe(`IMAGE=${JSON.parse(readFileSync(join(root, 'install/names.json'), 'utf8')).image}\n`)
  const [changes = ''] = shell.filter((line) => line.startsWith('awk'))
  execFileSync('bash', ['-ec', changes], { cwd: clone })
  expect(read('changes.md')).toMatch(/^## 0\.2\.0 \(.*\)\n\n- Something that a user notices\.\n\n$/)
})
