/** Prints a calibration: each answer as it comes, and a summary. */
import { keysIn } from '../../../core/model/must.ts'
import { oneLine } from '../../../core/model/one-line.ts'
import type { Calibrated, CalibrationPlan, CalibrationReport, CalibrationVerdict } from '../../../judge/calibrate.ts'
import { tiers } from '../../../service/probes.ts'
import type { Output, Paint } from '../output.ts'
import { count, section } from '../words.ts'

const COLOURS = {
  holds: 'green',
  'none-of-ours': 'red',
  unstable: 'red',
  untold: 'yellow',
  'not-asked': 'gray',
} as const satisfies Record<CalibrationVerdict, Parameters<Paint>[0]>

const WORDS: Record<CalibrationVerdict, string> = {
  holds: 'holds',
  'none-of-ours': 'none of ours',
  unstable: 'unstable',
  untold: 'could not be told',
  'not-asked': 'not asked',
}

const SHOWN_CHARACTERS = 300

export function answerLine(
  { assumption, verdict, alternative, why, evidence, excluded }: Calibrated,
  paint: Paint,
): string {
  const told = alternative ?? `${WORDS[verdict]}: ${why ?? ''}`
  const out = verdict !== 'holds' && excluded.length > 0 ? `; not ${excluded.join(', ')}` : ''
  const last = verdict === 'none-of-ours' ? evidence.at(-1) : undefined
  const shown = last
    ? `    ${oneLine(`${last.asked} → ${last.status} ${last.answered.slice(0, SHOWN_CHARACTERS)}`)}\n`
    : ''
  return `${assumption}: ${paint(COLOURS[verdict], told)}${out}\n${shown}`
}

export function calibrationText(report: CalibrationReport, { paint }: Output): string {
  const { answers, requests, payments, accepted, stopped } = report
  const of = (verdict: CalibrationVerdict) => answers.filter((one) => one.verdict === verdict)
  const counts = keysIn(WORDS)
    .map((verdict) => [of(verdict).length, WORDS[verdict]] as const)
    .filter(([many]) => many > 0)
    .map(([many, word]) => `${many} ${word}`)
  const allowed = new Map<string, number>()
  for (const { why } of of('not-asked')) allowed.set(why ?? '', (allowed.get(why ?? '') ?? 0) + 1)
  const lines = [...allowed].sort(([, a], [, b]) => b - a).map(([why, times]) => `${times}: ${why}\n`)
  return [
    stopped ? `\n${paint('red', `Stopped: ${stopped.why}.`)}\n` : '\n',
    ...(stopped?.evidence ?? []).map(
      ({ asked, sent, status, answered }) =>
        `  ${oneLine(`${asked} ${sent} → ${status} ${answered.slice(0, SHOWN_CHARACTERS)}`)}\n`,
    ),
    `${counts.join(', ')}. ${count(requests, 'request')}, ${count(payments, 'payment')}.\n`,
    accepted > 0
      ? `${paint('red', `${count(accepted, 'request')} that was to be refused was accepted. Look in your account for what it made, and cancel it.`)}\n`
      : '',
    section('Not asked', stopped ? '' : lines.join(''), paint),
  ].join('')
}

export function planText({ ways, unaskable }: CalibrationPlan, { paint }: Output): string {
  const sections = tiers.flatMap((tier) => {
    const of = ways.filter((way) => way.tier === tier)
    if (of.length === 0) return []
    const allowed = of[0]?.isAllowed ? 'asked' : `not asked without --allow ${tier}`
    const lines = of.map(({ assumption, needs, requests, more }) => {
      const needed = needs.length > 0 ? `  (needs ${needs.join(', ')})` : ''
      const follow = more > 0 ? `  ${count(more, 'more step')}, as it is answered\n` : ''
      return `${assumption}${needed}\n${requests.map(requestLine).join('')}${follow}`
    })
    return [section(`${tier}, ${allowed}`, lines.join(''), paint)]
  })
  const never = unaskable.map(({ assumption, why }) => `${assumption}: ${why}\n`)
  return [...sections, section('Cannot be asked', never.join(''), paint)].join('')
}

function requestLine({ method, path, body, doom }: CalibrationPlan['ways'][number]['requests'][number]): string {
  const certain = doom === null ? '' : `  [certain to be refused: ${doom}]`
  return `  ${oneLine(`${method} ${path} ${body}`.trimEnd())}${certain}\n`
}
