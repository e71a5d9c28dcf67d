/** What a search came to, for people and for programs. */
import { oneLine } from '../../../core/model/one-line.ts'
import type { Explored, ExploreFinding, Replayed } from '../../../judge/explore/explorer.ts'
import type { Written } from '../../../judge/explore/finding-files.ts'
import { sequenceOf, storyOf } from '../../../judge/explore/tell.ts'
import type { Output } from '../output.ts'
import { count, section } from '../words.ts'

/** A finding as it is made. */
export function findingText({ code, text, choices, requests }: ExploreFinding, { paint }: Output): string {
  const story = storyOf(choices)
    .map((one) => `  - ${oneLine(one)}\n`)
    .join('')
  const asked = requests.map((one) => `  ${paint('dim', oneLine(one))}\n`).join('')
  return `${paint('red', code)} with ${count(choices.length, 'choice')}\n  ${text.split('\n').map(oneLine).join('\n  ')}\n${story}${asked}`
}

const verdicts = { back: ['red', 'is back'], gone: ['green', 'is gone'], unjudged: ['yellow', 'not judged'] } as const

/** `01-paid-twice.schedule.json: paid_twice is back`. */
export function replayedLine({ name, code, verdict }: Replayed, { paint }: Output): string {
  const [style, words] = verdicts[verdict]
  return `${oneLine(name)}: ${oneLine(code)} ${paint(style, words)}\n`
}

/** All of it, at the end. */
export function summaryText(explored: Explored, files: readonly (Written | undefined)[], output: Output): string {
  const { paint } = output
  const { merchant, findings, unstable, unshrunk, replayed, unjudged, resetUnused, schedules, tookMs, interrupted } =
    explored
  const verdict =
    findings.length > 0
      ? paint('red', `${count(findings.length, 'finding')}.`)
      : unjudged !== undefined || interrupted
        ? paint('yellow', 'Not judged to the end.')
        : paint('green', 'No findings.')
  const seconds = (tookMs / 1000).toFixed(1)
  return [
    `\n${merchant}: ${verdict} ${count(schedules.run, 'run')} of ${count(schedules.distinct, 'distinct schedule')}, ${count(schedules.behaviours, 'behaviour')}, in ${seconds} s.\n`,
    interrupted ? 'It was interrupted: this is what was found so far.\n' : '',
    unjudged === undefined ? '' : `Not judged: ${unjudged}\n`,
    resetUnused === undefined ? '' : `Its reset is not used: ${resetUnused}.\n`,
    section('Found earlier', replayed.map((one) => replayedLine(one, output)).join(''), paint),
    section(
      'Seen, and interrupted before it was shrunk',
      unshrunk.map((one) => findingText(one, output)).join(''),
      paint,
    ),
    section(
      'Seen once, and not again under the same schedule',
      unstable.map((one) => `${one.code}: ${oneLine(one.text)}\n`).join(''),
      paint,
    ),
    section(
      'Written',
      [...findings, ...unshrunk]
        .flatMap(({ capsule }, i) => [
          files[i]?.page,
          files[i]?.schedule,
          files[i]?.scenario,
          files[i]?.capsule ?? capsule,
        ])
        .map((file) => (file === undefined ? '' : `${file}\n`))
        .join(''),
      paint,
    ),
  ].join('')
}

/** The one document that `--json` prints. */
export function documentOf(explored: Explored, files: readonly (Written | undefined)[]) {
  const { findings, unstable, unshrunk, ...rest } = explored
  return {
    findings: findings.map((one, i) => told(one, files[i])),
    unstable: unstable.map((one) => told(one, undefined)),
    unshrunk: unshrunk.map((one, i) => told(one, files[findings.length + i])),
    ...rest,
  }
}

function told({ ran, choices, ...finding }: ExploreFinding, written: Written | undefined) {
  return {
    ...finding,
    ...written,
    choices,
    story: storyOf(choices),
    sequence: sequenceOf(ran.happened),
  }
}
