/**
 * Adds to our two locks the optional packages of other platforms that a registry mirror did not offer when the
 * lock was written. Without them npm 11 refuses `npm ci` ("Missing: … from lock file", npm/cli#9846), and a Mac or a
 * Windows machine would go without its native binaries. Run after every change of dependencies:
 *   node test/support/complete-lockfile.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'

interface LockEntry {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}
export interface Lockfile {
  packages: Record<string, LockEntry>
}

const systems = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32']
const cpus = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64', 'wasm32']

/** The lock of mfano, and that of what only its tests need. */
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
      const words = (name.split('/').at(-1) ?? '').split(/[-.]/)
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

if (import.meta.main) {
  for (const file of lockfiles) {
    const lock = JSON.parse(readFileSync(file, 'utf8')) as Lockfile
    const missing = missingOptionals(lock)
    // The root comes first, then by path, as npm writes it.
    const { '': root, ...rest } = { ...lock.packages, ...Object.fromEntries(missing) }
    const sorted = Object.entries(rest).sort(([a], [b]) => a.localeCompare(b, 'en'))
    lock.packages = { '': root as LockEntry, ...Object.fromEntries(sorted) }
    writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
    console.log(`Added ${missing.size} optional packages to ${relative(process.cwd(), file)}`)
  }
}
