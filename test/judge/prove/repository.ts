/** A git repository with an app of the corpus, first in its buggy edition. */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KnownSchedule } from '../../../src/judge/explore/choice.ts'
import { answer, folder } from '../../apps/cli/support.ts'

const corpus = join(import.meta.dirname, '../../corpus')
/** Starts, answers everything, and does nothing. */
const IDLE = `import { createServer } from 'node:http'
createServer((_, response) => response.end('[]')).listen(Number(process.env.PORT), '127.0.0.1')
`

export class Repository {
  readonly top = folder()
  readonly file: string
  readonly #name: string

  /** Its first commit has the mistake. */
  constructor(name: string) {
    this.#name = name
    this.file = join(this.top, 'cases', name, 'merchant.yaml')
    cpSync(join(corpus, 'base'), join(this.top, 'base'), { recursive: true })
    this.add(name)
    this.git('init', '-q')
    this.commit()
  }

  /** A case beside the others, with its mistake. */
  add(name: string): string {
    const to = join(this.top, 'cases', name)
    cpSync(join(corpus, 'cases', name), to, { recursive: true })
    const file = join(to, 'merchant.yaml')
    if (/command: node/.test(readFileSync(file, 'utf8'))) edit(file, [/command: node/, `command: ${process.execPath}`])
    edit(file, [/^ {2}env:\n/m, '  env:\n    MENDED: "0"\n'])
    return file
  }

  git(...typed: string[]): string {
    const who = ['-c', 'user.name=Test', '-c', 'user.email=test@mfano.example']
    return execFileSync('git', [...who, ...typed], { cwd: this.top, encoding: 'utf8' }).trim()
  }

  commit(): void {
    this.git('add', '.')
    this.git('commit', '-qm', 'As it is')
  }

  path(name: string): string {
    return join(this.top, 'cases', this.#name, name)
  }

  edit(name: string, ...changes: readonly Change[]): void {
    edit(this.path(name), ...changes)
  }

  mend(file = this.file): void {
    edit(file, [/MENDED: "0"/, 'MENDED: "1"'])
  }

  /** Names only: of the app, of its file. */
  rename(): void {
    const [, program = ''] = /command: .* (\S+)$/m.exec(readFileSync(this.file, 'utf8')) ?? []
    this.git('mv', this.path(program), this.path(`renamed-${program}`))
    edit(this.file, [/^name: /m, 'name: renamed-'], [new RegExp(` ${program}`), ` renamed-${program}`])
  }

  /** Another program in the place of the app. */
  idle(): void {
    writeFileSync(this.path('idle.mjs'), IDLE)
    edit(this.file, [/command: .*/, `command: ${process.execPath} idle.mjs`])
  }

  /** A folder with schedules, as `explore --out` writes them. */
  incident(...schedules: readonly KnownSchedule[]): string {
    const incident = join(this.top, 'incident')
    mkdirSync(incident, { recursive: true })
    for (const [i, one] of schedules.entries())
      writeFileSync(join(incident, `${i + 1}.schedule.json`), JSON.stringify(one))
    return incident
  }

  prove(...typed: string[]) {
    return answer(['prove', this.file, ...typed])
  }
}

type Change = readonly [from: RegExp, to: string]

/** Each is there, and becomes another. */
function edit(file: string, ...changes: readonly Change[]): void {
  let text = readFileSync(file, 'utf8')
  for (const [from, to] of changes) {
    if (!from.test(text)) throw new Error(`${file} has no ${from}`)
    text = text.replace(from, () => to)
  }
  writeFileSync(file, text)
}
