/**
 * Adds to our two locks what npm leaves out of them. Run after every change of dependencies:
 *   node test/support/complete-lockfile.ts
 *
 * The optional packages of other platforms that a registry mirror did not offer when the lock was written: without
 * them npm 11 refuses `npm ci` ("Missing: … from lock file", npm/cli#9846), and a Mac or a Windows machine would go
 * without its native binaries. And `gypfile: false` of packages that ship their binary: npm 9.2, which Debian has,
 * reads it nowhere but there, and without it wants a compiler.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

interface LockEntry {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  gypfile?: boolean
  optionalDependencies?: Record<string, string>
}
export interface Lockfile {
  packages: Record<string, LockEntry>
}

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const cpus = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32']

/** As names of packages say what npm calls otherwise. */
const spelt: Record<string, string> = { windows: 'win32', '64': 'x64' }

/** The lock of mfano, and that of what is beside it. */
export const lockfiles = ['../../package-lock.json', '../package-lock.json'].map((path) =>
  join(import.meta.dirname, path),
)

/** The optional packages that some entry names with an exact version and the lock does not hold. */
export function missingOptionals(lock: Lockfile): Map<string, LockEntry> {
  const missing = new Map<string, LockEntry>()
  for (const [path, entry] of Object.entries(lock.packages)) {
    for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
      const held = `${path}/node_modules/${name}` in lock.packages || `node_modules/${name}` in lock.packages
      // A range could be any version; only the packages of one release, pinned to each other, are certain.
      if (held || !/^\d+\.\d+\.\d+[\w.-]*$/.test(version)) continue
      const words = (name.split('/').at(-1) ?? '').split(/[-.]/).map((word) => spelt[word] ?? word)
      const os = words.filter((word) => systems.includes(word))
      const cpu = words.filter((word) => cpus.includes(word))
      const libc = words.includes('musl') ? ['musl'] : words.some((word) => word.startsWith('gnu')) ? ['glibc'] : []
      missing.set(`node_modules/${name}`, {
        version,
        ...(cpu.length > 0 && { cpu }),
        ...(entry.dev && { dev: true }),
        ...(libc.length > 0 && { libc }),
        optional: true,
        ...(os.length > 0 && { os }),
      })
    }
  }
  return missing
}

/** The installed packages that say of themselves that nothing is to be compiled, where the lock does not say so. */
export function undeclaredBinaries(file: string, lock: Lockfile): string[] {
  return Object.keys(lock.packages).filter((path) => {
    const manifest = join(dirname(file), path, 'package.json')
    if (path === '' || lock.packages[path]?.gypfile === false || !existsSync(manifest)) return false
    return (JSON.parse(readFileSync(manifest, 'utf8')) as LockEntry).gypfile === false
  })
}

if (import.meta.main) {
  for (const file of lockfiles) {
    const lock = JSON.parse(readFileSync(file, 'utf8')) as Lockfile
    const missing = missingOptionals(lock)
    const binaries = undeclaredBinaries(file, lock)
    for (const path of binaries) lock.packages[path] = { ...lock.packages[path], gypfile: false }
    // The root comes first, then by path, as npm writes it.
    const { '': root, ...rest } = { ...lock.packages, ...Object.fromEntries(missing) }
    const sorted = Object.entries(rest).sort(([a], [b]) => a.localeCompare(b, 'en'))
    lock.packages = { '': root as LockEntry, ...Object.fromEntries(sorted) }
    writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
    const what = `${missing.size} optional packages and ${binaries.length} times "gypfile": false`
    console.log(`Added ${what} to ${relative(process.cwd(), file)}`)
  }
}
