/** Ranks files and tests by the processor time that they took, dearest first, at the end of a run. */
import type { Reporter, TestModule } from 'vitest/node'

const FILES = 60
const TESTS = 60

export default class TimesReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules.map((module) => ({
      cpuMs: module.meta().cpuMs ?? 0,
      wallMs: wallOf(module),
      name: module.relativeModuleId,
    }))
    const tests = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => ({
        cpuMs: test.meta().cpuMs ?? 0,
        wallMs: test.diagnostic()?.duration ?? 0,
        name: `${module.relativeModuleId} > ${test.fullName}`,
      })),
    )
    const { user, system } = process.cpuUsage()
    const all = files.reduce((sum, { cpuMs }) => sum + cpuMs, 0)
    print(
      `${files.length} files, processor ${seconds(all)} s, and ${seconds((user + system) / 1000)} s of vitest itself`,
    )
    rank(files, FILES)
    print('Tests')
    rank(tests, TESTS)
  }
}

function wallOf(module: TestModule): number {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic()
  return environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration
}

function rank(rows: { cpuMs: number; wallMs: number; name: string }[], most: number): void {
  print('processor s    wall s')
  for (const { cpuMs, wallMs, name } of rows.sort((one, other) => other.cpuMs - one.cpuMs).slice(0, most)) {
    print(`${seconds(cpuMs).padStart(11)} ${seconds(wallMs).padStart(9)}  ${name}`)
  }
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
