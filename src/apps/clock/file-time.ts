/** The time of a world in a file, for a program that reads its clock by libfaketime. */
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { FollowedTime } from './participation.ts'

/** Where packages of systems put the library. */
const FOLDERS = ['/usr/lib', '/usr/lib64', '/usr/local/lib', '/opt/homebrew/lib', '/opt/local/lib']
const NAMES = ['libfaketimeMT.so.1', 'libfaketime.so.1', 'libfaketime.1.dylib']

/** The library for programs with threads, where this machine has it. */
export function findFaketime(folders: readonly string[] = FOLDERS): string | undefined {
  for (const folder of folders) {
    if (!existsSync(folder)) continue
    const inner = readdirSync(folder, { withFileTypes: true }).filter((one) => one.isDirectory() && isPlace(one.name))
    for (const place of [folder, ...inner.map(({ name }) => join(folder, name))])
      for (const name of NAMES)
        for (const file of [join(place, 'faketime', name), join(place, name)]) if (existsSync(file)) return file
  }
  return undefined
}

function isPlace(name: string): boolean {
  return name === 'faketime' || name.includes('-linux-')
}

/** libfaketime 0.9.10 has Python's own sleep fail, from 3.11 on. Python reads this first, and then the one of the user. */
const PYTHON_SLEEP = `import os, sys, time
try:
    time.sleep(1e-6)
except OSError:
    import select
    time.sleep = lambda seconds: select.select([], [], [], seconds) and None
sys.path = [path for path in sys.path if path != os.path.dirname(__file__)]
del sys.modules["sitecustomize"]
try:
    import sitecustomize
except ImportError:
    pass
`

export class FileTime implements FollowedTime {
  readonly holds = true
  changed: () => void = () => {}
  readonly file: string
  readonly #folder: string
  #nowMs: number

  constructor(nowMs: number) {
    this.#folder = mkdtempSync(join(tmpdir(), 'mfano-time-'))
    this.file = join(this.#folder, 'now')
    writeFileSync(join(this.#folder, 'sitecustomize.py'), PYTHON_SLEEP)
    this.#nowMs = nowMs
    this.#write()
  }

  get nowMs(): number {
    return this.#nowMs
  }

  /** The variables with which a program reads it. */
  env(library: string): Record<string, string> {
    return {
      [process.platform === 'darwin' ? 'DYLD_INSERT_LIBRARIES' : 'LD_PRELOAD']: library,
      FAKETIME_TIMESTAMP_FILE: this.file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_FMT: '%s',
      // With that clock faked, a wait of Java, Node or a thread of Python would last for ever. The second is its old name.
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DONT_FAKE_MONOTONIC: '1',
      PYTHONPATH: [this.#folder, process.env['PYTHONPATH']].filter(Boolean).join(delimiter),
    }
  }

  nextMs(): undefined {
    return undefined
  }

  step(toMs: number): boolean {
    this.jump(Math.max(toMs, this.#nowMs))
    return false
  }

  jump(nowMs: number): void {
    const isNew = Math.floor(nowMs / 1000) !== Math.floor(this.#nowMs / 1000)
    this.#nowMs = nowMs
    if (isNew) this.#write()
  }

  restore(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  /** Whole at once: it may be read at any moment. */
  #write(): void {
    writeFileSync(`${this.file}.next`, `${Math.floor(this.#nowMs / 1000)}\n`)
    renameSync(`${this.file}.next`, this.file)
  }
}
