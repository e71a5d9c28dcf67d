import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { isStale } from '../../http/contract.ts'
import { HarFile, type Secrets } from '../traffic/har.ts'
import type { OnTheWire } from './service-line.ts'
import type { Calibrated, CalibrationReport } from './verdict.ts'

const STALE_DAYS = 90

const COMMENT_CHARACTERS = 160

export function measuredScenario({ baseUrl, answers, startedAt }: CalibrationReport): string {
  const found = answers.filter(({ verdict }) => verdict === 'holds')
  const open = answers.filter(({ verdict }) => verdict !== 'holds' && verdict !== 'not-asked')
  const host = URL.parse(baseUrl)?.host ?? baseUrl
  return [
    `# What ${host} answered on ${startedAt.slice(0, 10)}, written by mfano calibrate. Measured at the sandbox; it is stale after ${STALE_DAYS} days.`,
    '# Use it by `extends: ./measured.yaml`, or check it by `mfano calibrate --check measured.yaml`.',
    'name: measured',
    'description: What the service answered when it was asked which alternative of each assumption holds.',
    'extends: default',
    ...(found.length === 0
      ? ['assumptions: {}']
      : [
          'assumptions:',
          ...found.flatMap(({ assumption, alternative, on, question, evidence }) => [
            `  # ${on} ${comment(question)}`,
            ...evidence.slice(-1).map(({ asked, status }) => `  # ${comment(`${asked} → ${status}`)}`),
            `  ${assumption}: ${JSON.stringify(alternative)}`,
          ]),
          'measured:',
          ...found.map(
            ({ assumption, alternative, on }) => `  ${assumption}: { is: ${JSON.stringify(alternative)}, on: "${on}" }`,
          ),
        ]),
    ...open.map(({ assumption, verdict, why }) => `# ${assumption}: ${verdict}. ${comment(why ?? '')}`),
    '',
  ].join('\n')
}

export interface Moved {
  assumption: string
  was: string
  is: string
}

export function comparedWith(
  measured: Readonly<Record<string, string>>,
  answers: readonly Calibrated[],
): { moved: Moved[]; untold: Calibrated[] } {
  const moved: Moved[] = []
  const untold: Calibrated[] = []
  for (const answer of answers) {
    const { assumption, verdict, alternative, excluded } = answer
    const was = measured[assumption]
    if (was === undefined) continue
    if (verdict === 'holds' && alternative !== was) moved.push({ assumption, was, is: alternative ?? '' })
    else if (verdict === 'none-of-ours' || excluded.includes(was)) moved.push({ assumption, was, is: verdict })
    else if (verdict !== 'holds') untold.push(answer)
  }
  return { moved, untold }
}

/** Collapses white space, because a line break would end the YAML comment. */
function comment(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > COMMENT_CHARACTERS ? `${line.slice(0, COMMENT_CHARACTERS)}…` : line
}

// The files of a calibration: a scenario, its evidence, and all traffic, without secrets.

export class CalibrationFiles {
  readonly #out: string
  readonly #evidence: string
  readonly #har: HarFile

  constructor(out: string, secrets: Secrets) {
    this.#out = out
    const base = out.replace(/\.ya?ml$/, '')
    this.#evidence = `${base}.json`
    let har = `${base}.har`
    for (let n = 2; existsSync(har); n++) har = `${base}-${n}.har`
    this.#har = new HarFile(har, secrets)
  }

  known(baseUrl: string, wallMs: number): Calibrated[] {
    if (!existsSync(this.#evidence)) return []
    const before: CalibrationReport = JSON.parse(readFileSync(this.#evidence, 'utf8'))
    if (before.baseUrl !== baseUrl) return []
    return before.answers.filter(({ verdict, on }) => verdict === 'holds' && !isStale(on, wallMs * 1000))
  }

  exchange({ request: { method }, ...exchange }: OnTheWire): void {
    this.#har.add({ ...exchange, method })
  }

  report(report: CalibrationReport): void {
    writeFileSync(this.#out, measuredScenario(report))
    writeFileSync(this.#evidence, `${JSON.stringify(report, null, 2)}\n`)
  }

  close(): void {
    this.#har.close()
  }
}
