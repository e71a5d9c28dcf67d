/**
 * `npm run release -- 1.2.3`: makes a release of what is committed, and says how it is published. Tests it, writes the
 * version and the date of its changes down, packs and checks the package, commits and tags; nothing leaves this machine.
 * `--tested`: somebody, CI for one, has tested this very commit.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageProblems } from '../test/packed/package-problems.ts'

const root = join(import.meta.dirname, '..')
const UNRELEASED = '## Unreleased\n'

/** Something that keeps a release from being made; nothing has changed then. */
class NotReady extends Error {}

const [version = '', ...flags] = process.argv.slice(2)
try {
  await release(version, flags.includes('--tested'))
} catch (error) {
  if (!(error instanceof NotReady)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

async function release(version: string, tested: boolean): Promise<void> {
  const before = JSON.parse(read('package.json')).version as string
  requireNewer(version, before)
  const changed = git('status', '--porcelain')
  if (changed !== '') throw new NotReady(`Commit or remove what is not committed first:\n${changed}`)
  if (git('tag', '--list', `v${version}`) !== '') throw new NotReady(`There is a tag v${version} already.`)
  const changes = released(read('CHANGELOG.md'), version)
  if (!tested) {
    run('npm', 'run', 'lint')
    run('npm', 'run', 'test:all')
  }
  run('npm', 'version', version, '--no-git-tag-version', '--ignore-scripts')
  writeFileSync(join(root, 'CHANGELOG.md'), changes)
  const tarball = pack()
  const { problems } = await packageProblems(join(root, tarball))
  if (problems.length > 0) {
    git('checkout', '--', '.')
    throw new NotReady(`The package is not as it should be, and nothing was released:\n${problems.join('\n')}`)
  }
  git('commit', '--all', '--message', `Release ${version}`)
  git('tag', '--annotate', `v${version}`, '--message', `mfano ${version}`)
  process.stdout.write(`mfano ${version} is committed, tagged v${version} and packed. To publish it:

  git push --follow-tags
  npm publish ${tarball}
  docker build -t mfano:${version} -t mfano:latest .
`)
}

function requireNewer(version: string, before: string): void {
  const parts = /^(\d+)\.(\d+)\.(\d+)$/.exec(version)
  if (!parts)
    throw new NotReady(`Say which version: npm run release -- 1.2.3 [--tested]. Got ${JSON.stringify(version)}.`)
  const [was, is] = [before, version].map((text) => text.split('.').map(Number)) as [number[], number[]]
  const at = is.findIndex((part, i) => part !== was[i])
  if (at < 0 || (is[at] as number) < (was[at] as number))
    throw new NotReady(`${version} is not newer than ${before}, which package.json has.`)
}

/** The changes, those that are unreleased under the version and today's date. */
function released(changelog: string, version: string): string {
  const [head = '', rest] = changelog.split(UNRELEASED) as [string, string | undefined]
  const [news = ''] = (rest ?? '').split('\n## ')
  if (!/^- /m.test(news))
    throw new NotReady('CHANGELOG.md has nothing under "## Unreleased": say what a user notices, a line each.')
  const today = new Date().toISOString().slice(0, 10)
  return `${head}${UNRELEASED}\n## ${version} (${today})\n${rest}`
}

/** Builds and packs; the name of the file. */
function pack(): string {
  const told = execFileSync('npm', ['pack', '--json'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // What the build prints comes before it.
  const found = JSON.parse(told.slice(told.search(/^[[{]/m)))
  const [packed] = (Array.isArray(found) ? found : Object.values(found)) as { filename: string }[]
  return packed?.filename as string
}

function read(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()
}

function run(command: string, ...words: string[]): void {
  const { status } = spawnSync(command, words, { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new NotReady(`${command} ${words.join(' ')} failed; nothing was released.`)
}
