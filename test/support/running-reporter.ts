/** What is still running, so that the log of a run that is ended from outside says what it was waiting for. */
import type { Reporter, TestCase, TestModule } from 'vitest/node'

const EVERY_MS = 60_000
/** A file that is younger is not worth a line. */
const OLD_MS = 120_000

interface RunningFile {
  sinceMs: number
  test?: { name: string; sinceMs: number }
}

/** `still running, for 240 s: test/a.long.test.ts > its third test, for 65 s`, once a minute while there is something. */
export default class RunningReporter implements Reporter {
  readonly #running = new Map<string, RunningFile>()
  #timer: NodeJS.Timeout | undefined

  onTestRunStart(): void {
    this.#timer = setInterval(() => this.#tell(), EVERY_MS)
    this.#timer.unref()
  }

  onTestModuleStart({ relativeModuleId }: TestModule): void {
    this.#running.set(relativeModuleId, { sinceMs: Date.now() })
  }

  onTestCaseReady({ module, fullName }: TestCase): void {
    const file = this.#running.get(module.relativeModuleId)
    if (file) file.test = { name: fullName, sinceMs: Date.now() }
  }

  onTestModuleEnd({ relativeModuleId }: TestModule): void {
    this.#running.delete(relativeModuleId)
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer)
  }

  #tell(): void {
    const nowMs = Date.now()
    const seconds = (sinceMs: number) => `for ${Math.round((nowMs - sinceMs) / 1000)} s`
    for (const [file, { sinceMs, test }] of this.#running)
      if (nowMs - sinceMs >= OLD_MS)
        process.stdout.write(
          `still running, ${seconds(sinceMs)}: ${file}${test ? ` > ${test.name}, ${seconds(test.sinceMs)}` : ''}\n`,
        )
  }
}
