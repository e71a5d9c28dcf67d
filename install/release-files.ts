/** Puts a release into one folder: package, image, their bills of materials, changes and checksums. */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
/** Where they lie: `release/1.2.3/`. */
const RELEASES = join(root, 'release')

/** Names under which mfano is published. Null: whoever publishes it has not said. */
export interface PublishedNames {
  package: string
  image: string
  repository: string | null
  bugs: string | null
  homepage: string | null
  /** Whether a registry has them; docs say so until then. */
  published: boolean
}

export function publishedNames(): PublishedNames {
  return JSON.parse(readFileSync(join(root, 'install/names.json'), 'utf8'))
}

/** Fields of package.json that those who publish decide: `npm publish --provenance` compares the repository. */
export function writeNames({ package: name, repository, bugs, homepage }: PublishedNames): void {
  const url = repository && `git+${repository.replace(/(?:\.git)?$/, '.git')}`
  const fields = {
    name,
    ...(url && { 'repository.type': 'git', 'repository.url': url }),
    ...(bugs && { 'bugs.url': bugs }),
    ...(homepage && { homepage }),
  }
  npm('pkg', 'set', ...Object.entries(fields).map(([field, value]) => `${field}=${value}`))
}

/** Builds and packs; the path of the tarball. */
export function makePackage(folder: string): string {
  const told = npm('pack', '--json')
  // The build prints before it.
  const found = JSON.parse(told.slice(told.search(/^[[{]/m)))
  const [packed] = (Array.isArray(found) ? found : Object.values(found)) as { filename: string }[]
  const name = packed?.filename ?? ''
  mkdirSync(folder, { recursive: true })
  const tarball = join(folder, name)
  renameSync(join(root, name), tarball)
  return tarball
}

/** All that the package holds by its list of licences, and all that an install brings, as SPDX. */
export function makeBillOfMaterials(folder: string): void {
  const all: Spdx = JSON.parse(npm('sbom', '--include', 'dev', '--sbom-format', 'spdx', '--package-lock-only'))
  const licences = readFileSync(join(root, 'dist/LICENCES.md'), 'utf8')
  const bundled = [...licences.matchAll(/^## (\S+) (\S+) \(/gm)].map(([, name, version]) => `${name}@${version}`)
  const { name, packages: locked } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const installed = Object.entries<{ version: string; dev?: boolean; devOptional?: boolean; peer?: boolean }>(locked)
    .filter(([, { dev, devOptional, peer }]) => !dev && !devOptional && !peer)
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1) || name}@${version}`)
  const shipped = new Set([...bundled, ...installed])
  const packages = all.packages.filter((one) => shipped.has(`${one.name}@${one.versionInfo}`))
  const ids = new Set(['SPDXRef-DOCUMENT', ...packages.map(({ SPDXID }) => SPDXID)])
  const relationships = all.relationships.filter((one) => ids.has(one.spdxElementId) && ids.has(one.relatedSpdxElement))
  writeFileSync(join(folder, 'package.spdx.json'), JSON.stringify({ ...all, packages, relationships }, null, 2))
}

/** The part of an SPDX document that is used here. */
interface Spdx {
  packages: { SPDXID: string; name: string; versionInfo: string }[]
  relationships: { spdxElementId: string; relatedSpdxElement: string }[]
}

/**
 * The image for amd64 and arm64, with a bill of materials and its provenance in it. Undefined when made, else why not.
 * It is not pushed.
 */
export function makeImage(folder: string, image: string, version: string): string | undefined {
  const answers = spawnSync('docker', ['buildx', 'inspect', '--bootstrap'], { encoding: 'utf8', timeout: 120_000 })
  if (answers.status !== 0) return 'no container engine answers here (docker buildx inspect)'
  const words = [
    ...['buildx', 'build', '--platform', 'linux/amd64,linux/arm64', '--sbom=true', '--provenance=mode=max'],
    ...['--tag', `${image}:${version}`, '--output', `type=oci,dest=${join(folder, 'image.tar')}`, root],
  ]
  const { status } = spawnSync('docker', words, { stdio: 'inherit' })
  return status === 0 ? undefined : `docker ${words.join(' ')} failed`
}

/** Checksums, as `sha256sum --check SHA256SUMS` reads them; and each file with its size. */
export function makeChecksums(folder: string): string[] {
  const files = readdirSync(folder).filter((name) => name !== 'SHA256SUMS')
  const sumOf = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
  writeFileSync(join(folder, 'SHA256SUMS'), files.map((name) => `${sumOf(name)}  ${name}\n`).join(''))
  return files.map((name) => `${name} (${(statSync(join(folder, name)).size / 1e6).toFixed(1)} MB)`)
}

/** An empty folder for a version. */
export function emptyRelease(version: string): string {
  const folder = join(RELEASES, version)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  return folder
}

/** npm in the project, but for what it asks on stderr. */
function npm(...words: string[]): string {
  const stdio = ['ignore', 'pipe', 'inherit'] as const
  return execFileSync('npm', words, { cwd: root, encoding: 'utf8', stdio: [...stdio], maxBuffer: 1e8 })
}
