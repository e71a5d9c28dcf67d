/** Prints a previewed sequence in each format. */
import { keysIn } from '../../../core/model/must.ts'
import { plainTime } from '../../../core/model/plain-time.ts'
import { formatDuration, type InstantUs } from '../../../core/model/time.ts'
import { type PreviewSequence, presentSequence } from '../../../server/preview.ts'
import type { Paint } from '../output.ts'

export const previewFormats = ['text', 'mermaid', 'json'] as const

export function printPreview(sequence: PreviewSequence, format: (typeof previewFormats)[number], paint: Paint): string {
  if (format === 'json') return `${JSON.stringify(presentSequence(sequence), null, 2)}\n`
  if (format === 'mermaid') return asMermaid(sequence)
  return asText(sequence, paint)
}

function asText({ scenario, what, rule, fault, startUs, zone, steps }: PreviewSequence, paint: Paint): string {
  const clock = (atUs: InstantUs) => plainTime(atUs, zone)
  const since = (atUs: InstantUs) => elapsed(startUs, atUs)
  const times = Math.max(...steps.map(({ atUs }) => clock(atUs).length))
  const ages = Math.max(...steps.map(({ atUs }) => since(atUs).length))
  const lines = steps.map(({ atUs, from, to, what: step, only }) => {
    const arrow = from === to ? from : `${from} -> ${to}`
    const line = `${clock(atUs).padEnd(times)}  ${since(atUs).padEnd(ages)}  ${arrow.padEnd(17)}  ${step}${only ? `, if ${only}` : ''}`
    return only ? paint('dim', line) : line
  })
  const decided = rule === null ? '' : `, decided by the rule "${rule}"`
  const met = fault === null ? '' : `, met by the fault "${fault}"`
  return `${what} in scenario ${scenario}${decided}${met}\n\n${lines.join('\n')}\n`
}

type Party = PreviewSequence['steps'][number]['from']

const names: Record<Party, string> = { merchant: 'Merchant', mfano: 'mfano', rail: 'Rail' }

/** https://mermaid.js.org/syntax/sequenceDiagram.html */
function asMermaid({ scenario, what: about, rule, fault, startUs, steps }: PreviewSequence): string {
  const parties = keysIn(names).filter((party) => steps.some(({ from, to }) => from === party || to === party))
  const lines = ['sequenceDiagram', ...parties.map((party) => `  participant ${party} as ${names[party]}`)]
  const [first = 'mfano'] = parties
  lines.push(
    `  Note over ${first},${parties.at(-1)}: ${plain([`${about} in ${scenario}`, rule ?? fault].filter(Boolean).join(': '))}`,
  )
  let within: string | undefined
  for (const { atUs, from, to, what, only } of steps) {
    if (only !== within) {
      if (within !== undefined) lines.push('  end')
      if (only !== undefined) lines.push(`  opt ${plain(only)}`)
      within = only
    }
    const text = plain(`${elapsed(startUs, atUs)} ${what}`)
    const indent = only === undefined ? '  ' : '    '
    // Answers go back along a broken line.
    const arrow = from === 'mfano' && to !== 'mfano' && !what.startsWith('callback') ? '-->>' : '->>'
    lines.push(from === to ? `${indent}Note over ${from}: ${text}` : `${indent}${from}${arrow}${to}: ${text}`)
  }
  if (within !== undefined) lines.push('  end')
  return `${lines.join('\n')}\n`
}

/** Exact, so that steps close together still show different times. */
function elapsed(fromUs: InstantUs, toUs: InstantUs): string {
  return `+${formatDuration(toUs - fromUs)}`
}

/** Escapes characters that would end a Mermaid message. */
function plain(text: string): string {
  return text.replaceAll(/[#;\n]/g, (sign) => (sign === '\n' ? ' ' : `#${sign.charCodeAt(0)};`))
}
