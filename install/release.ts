/**
 * `npm run release -- 1.2.3`: makes a release of what is committed, in `release/1.2.3`, and says how it is published. Tests
 * it, writes the version and the date of its changes down, makes package, image, bills of materials and checksums, checks
 * the package, commits and tags; nothing leaves this machine.
 * `--tested`: somebody, CI for one, has tested this very commit. `--dry-run`: puts every file back, and makes no tag.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { packageProblems } from '../test/packed/package-problems.ts'
import {
  emptyRelease,
  makeBillOfMaterials,
  makeChecksums,
  makeImage,
  makePackage,
  type PublishedNames,
  publishedNames,
  writeNames,
} from './release-files.ts'

const root = join(import.meta.dirname, '..')
const UNRELEASED = '## Unreleased\n'
/** Files of clients and templates that name the version, and where. */
const VERSIONED: readonly [file: string, where: RegExp][] = [
  ['clients/python/pyproject.toml', /(?<=^version = ")[^"]+/m],
  ['clients/java/pom.xml', /(?<=<artifactId>mfano<\/artifactId>\s*<version>)[^<]+/],
  ['install/ci/devcontainer/devcontainer-feature.json', /(?<="version": ")[^"]+/],
  ['src/docs/install.md', /(?<=mfano-)\d+\.\d+\.\d+(?=\.tgz)/],
]

/** Something that keeps a release from being made; nothing has changed then. */
class NotReady extends Error {}

const flags = process.argv.slice(2).filter((word) => word.startsWith('--'))
const [version = ''] = process.argv.slice(2).filter((word) => !word.startsWith('--'))
try {
  await release(version, { tested: flags.includes('--tested'), isDry: flags.includes('--dry-run') })
} catch (error) {
  if (!(error instanceof NotReady)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

async function release(version: string, { tested, isDry }: { tested: boolean; isDry: boolean }): Promise<void> {
  const before = JSON.parse(read('package.json')).version as string
  requireNewer(version, before)
  const changed = git('status', '--porcelain')
  if (changed !== '') throw new NotReady(`Commit or remove what is not committed first:\n${changed}`)
  if (git('tag', '--list', `v${version}`) !== '') throw new NotReady(`There is a tag v${version} already.`)
  const { changelog, news } = released(read('CHANGELOG.md'), version)
  const names = publishedNames()
  const wrong = wrongNames(names)
  if (wrong.length > 0 && !isDry) throw new NotReady(`Edit and commit install/names.json first:\n${wrong.join('\n')}`)
  if (!tested) {
    run('npm', 'run', 'lint')
    run('npm', 'run', 'test:night')
  }
  const folder = emptyRelease(version)
  let noImage: string | undefined
  try {
    writeVersion(version, names, changelog)
    noImage = await makeFiles(folder, version, names, news)
  } catch (error) {
    git('checkout', '--', '.')
    throw error
  }
  if (isDry) git('checkout', '--', '.')
  else {
    git('commit', '--all', '--message', `Release ${version}`)
    git('tag', '--annotate', `v${version}`, '--message', `mfano ${version}`)
  }
  const done = isDry ? 'could be released; this was a dry run' : `is committed and tagged v${version}`
  const files = makeChecksums(folder)
  const again = isDry ? [...wrong.map((one) => `edit install/names.json: ${one}`), `npm run release -- ${version}`] : []
  const left = [...again, ...publishingSteps(version, files, noImage === undefined ? names.image : undefined)]
  process.stdout.write(`mfano ${version} ${done}. In ${relative(root, folder)}:

${files.map((file) => `  ${file}\n`).join('')}
To publish it:

${left.map((step, i) => `  ${i + 1}. ${step}\n`).join('')}
In GitHub, .github/workflows/publish.yml publishes a tag that is pushed, with provenance, in the place of npm and docker.
${noImage === undefined ? '' : `There is no image: ${noImage}. That workflow makes it.\n`}`)
}

function writeVersion(version: string, names: PublishedNames, changelog: string): void {
  run('npm', 'version', version, '--no-git-tag-version', '--ignore-scripts')
  writeNames(names)
  for (const [file, where] of VERSIONED) {
    const text = read(file)
    if (!where.test(text)) throw new NotReady(`${file} does not say its version where it is expected: ${where}`)
    writeFileSync(join(root, file), text.replace(where, version))
  }
  writeFileSync(join(root, 'CHANGELOG.md'), changelog)
}

/** Makes and checks all; says why there is no image, if there is none. */
async function makeFiles(folder: string, version: string, names: PublishedNames, news: string) {
  const { problems } = await packageProblems(makePackage(folder))
  if (problems.length > 0)
    throw new NotReady(`The package is not as it should be, and nothing was released:\n${problems.join('\n')}`)
  makeBillOfMaterials(folder)
  writeFileSync(join(folder, 'changes.md'), news)
  return makeImage(folder, names.image, version)
}

/** The steps that a person types, in order. `files`: each with its size. */
function publishingSteps(version: string, files: readonly string[], image: string | undefined): string[] {
  const tarball = files.map((file) => file.split(' ')[0] ?? '').find((file) => file.endsWith('.tgz')) ?? ''
  return [
    `cd release/${version} && sha256sum --check SHA256SUMS`,
    'git push --follow-tags',
    `npm login && npm publish ${tarball} --access public`,
    ...(image === undefined ? [] : [`docker load --input image.tar && docker push ${image}:${version}`]),
    'edit install/names.json: "published": true, and commit it',
  ]
}

/** A sentence for each name under which nothing can be published. */
function wrongNames({ package: name, image, repository, bugs, homepage }: PublishedNames): string[] {
  const isAddress = (text: string | null) => text !== null && URL.parse(text)?.protocol === 'https:'
  const checked = [
    ['package', name, /^(?:@[a-z\d][\w.-]*\/)?[a-z\d][\w.-]*$/.test(name), 'a name that npm takes, in small letters'],
    ['image', image, image.includes('/'), 'a name with its registry or owner, such as OWNER/mfano'],
    ['repository', repository, isAddress(repository), 'where mfano lives, an https address'],
    ['bugs', bugs, bugs === null || isAddress(bugs), 'null, or an https address'],
    ['homepage', homepage, homepage === null || isAddress(homepage), 'null, or an https address'],
  ] as const
  return checked.flatMap(([key, value, isRight, expected]) =>
    isRight ? [] : [`"${key}" is ${JSON.stringify(value)}; expected ${expected}`],
  )
}

function requireNewer(version: string, before: string): void {
  const parts = /^(\d+)\.(\d+)\.(\d+)$/.exec(version)
  if (!parts)
    throw new NotReady(
      `Say which version: npm run release -- 1.2.3 [--tested] [--dry-run]. Got ${JSON.stringify(version)}.`,
    )
  const [was, is] = [before, version].map((text) => text.split('.').map(Number)) as [number[], number[]]
  const at = is.findIndex((part, i) => part !== was[i])
  if (at < 0 || (is[at] as number) < (was[at] as number))
    throw new NotReady(`${version} is not newer than ${before}, which package.json has.`)
}

/** The changelog, with what is unreleased under the version and today's date; and that part alone. */
function released(changelog: string, version: string): { changelog: string; news: string } {
  const [head = '', rest] = changelog.split(UNRELEASED) as [string, string | undefined]
  const [news = ''] = (rest ?? '').split('\n## ')
  if (!/^- /m.test(news))
    throw new NotReady('CHANGELOG.md has nothing under "## Unreleased": say what a user notices, a line each.')
  const today = new Date().toISOString().slice(0, 10)
  const title = `## ${version} (${today})\n`
  return { changelog: `${head}${UNRELEASED}\n${title}${rest}`, news: `${title}${news.trimEnd()}\n` }
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
