/** The files of a calibration: a scenario, its evidence, and all traffic, without secrets. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { isStale } from '../../core/model/basis.ts'
import { HarFile, harEntryOf } from '../traffic/har-file.ts'
import type { Secrets } from '../traffic/secrets.ts'
import { measuredScenario } from './measured-scenario.ts'
import type { OnTheWire } from './service-line.ts'
import type { Calibrated, CalibrationReport } from './verdict.ts'

export class CalibrationFiles {
  readonly #out: string
  readonly #evidence: string
  readonly #har: HarFile
  readonly #secrets: Secrets

  /** `out` is the scenario's path. The other files are written beside it. */
  constructor(out: string, secrets: Secrets) {
    this.#out = out
    this.#secrets = secrets
    const base = out.replace(/\.ya?ml$/, '')
    this.#evidence = `${base}.json`
    let har = `${base}.har`
    for (let n = 2; existsSync(har); n++) har = `${base}-${n}.har`
    this.#har = new HarFile(har)
  }

  /** Answers of an earlier run at the same address, except stale ones. */
  known(baseUrl: string, wallMs: number): Calibrated[] {
    if (!existsSync(this.#evidence)) return []
    const before: CalibrationReport = JSON.parse(readFileSync(this.#evidence, 'utf8'))
    if (before.baseUrl !== baseUrl) return []
    return before.answers.filter(({ verdict, on }) => verdict === 'holds' && !isStale(on, wallMs * 1000))
  }

  exchange({ beganMs, tookMs, request, url, headers, body, status, answerHeaders, answer }: OnTheWire): void {
    const exchange = { beganMs, tookMs, method: request.method, url, headers, body, status, answerHeaders, answer }
    const known = this.#secrets.count
    // Twice, as its end may tell of secrets in its beginning.
    harEntryOf(exchange, this.#secrets)
    const entry = harEntryOf(exchange, this.#secrets)
    if (this.#secrets.count > known) this.#har.change((text) => this.#secrets.redact(text))
    this.#har.add(entry)
  }

  report(report: CalibrationReport): void {
    writeFileSync(this.#out, measuredScenario(report))
    writeFileSync(this.#evidence, `${JSON.stringify(report, null, 2)}\n`)
  }

  close(): void {
    this.#har.close()
  }
}
