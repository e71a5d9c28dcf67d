import { writeFileSync } from 'node:fs'
import type { CalibrationReport } from './verdict.ts'

const STALE_DAYS = 90

const COMMENT_CHARACTERS = 160

export function measuredScenario({ baseUrl, answers, startedAt }: CalibrationReport): string {
  const found = answers.filter(({ verdict }) => verdict === 'holds')
  const open = answers.filter(({ verdict }) => verdict !== 'holds' && verdict !== 'not-asked')
  const host = URL.parse(baseUrl)?.host ?? baseUrl
  return [
    `# What ${host} answered on ${startedAt.slice(0, 10)}, written by mfano calibrate. Measured at the sandbox; it is stale after ${STALE_DAYS} days.`,
    '# Use it by `extends: ./measured.yaml`.',
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

/** Collapses white space, because a line break would end the YAML comment. */
function comment(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ')
  return line.length > COMMENT_CHARACTERS ? `${line.slice(0, COMMENT_CHARACTERS)}…` : line
}

export function writeCalibration(scenario: string, report: CalibrationReport): void {
  writeFileSync(scenario, measuredScenario(report))
  writeFileSync(`${scenario.replace(/\.ya?ml$/, '')}.json`, `${JSON.stringify(report, null, 2)}\n`)
}
