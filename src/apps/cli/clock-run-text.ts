/** Prints what an advance of the clock caused. */
import type { Advanced, Settled } from '../../client/control-answers.ts'
import { eventTable } from './event-lines.ts'
import type { Output } from './output.ts'
import { table } from './table.ts'
import { count, section, time } from './words.ts'

export function advancedText(advanced: Advanced, output: Output): string {
  return [
    inShort(advanced, output),
    section('What happened', listed(advanced, output), output.paint),
    breakpoint(advanced, output),
  ].join('')
}

export function settledText(settled: Settled, output: Output): string {
  return [
    advancedText(settled, output),
    section('Still to come', pendingTable(settled, output), output.paint),
    section('Never ends by itself', neverEndingTable(settled, output), output.paint),
  ].join('')
}

function inShort({ now, steps, callbacks: { delivered, failed }, ended }: Advanced, { paint }: Output): string {
  const told = `${count(steps, 'step')}, ${count(delivered, 'callback')} delivered`
  const lost = failed > 0 ? `, ${paint('red', `${failed.toLocaleString('en')} failed`)}` : ''
  return `${paint('bold', time(now))}  ${told}${lost}; ${ended}\n`
}

function listed({ happened = [], counts = {} }: Pick<Advanced, 'happened' | 'counts'>, output: Output): string {
  if (happened.length === 0) return ''
  const total = Object.values(counts).reduce((sum, one) => sum + one, 0)
  const rest = total > happened.length ? `the first ${happened.length} of ${total}\n` : ''
  return eventTable(happened, output) + rest
}

function breakpoint({ matched, nearest }: Advanced, output: Output): string {
  if (matched) return section('The breakpoint held for', eventTable([matched], output), output.paint)
  if (!nearest) return ''
  return section('Nearest to the breakpoint', `${eventTable([nearest], output)}but ${nearest.why}\n`, output.paint)
}

function pendingTable({ pending, pendingTotal }: Settled, output: Output): string {
  if (pending.length === 0) return ''
  const rows = table(
    pending,
    [
      { title: 'AT', of: ({ at }) => time(at) },
      { title: 'WHAT', of: ({ type, callback }) => (callback === null ? type : `${type} ${callback}`) },
      { title: 'PAYMENT', of: ({ payment }) => payment, spare: 1 },
      { title: 'WHY IT WAITS', of: ({ why }) => why, least: 20 },
    ],
    output,
  )
  return pendingTotal > pending.length ? `${rows}${pending.length} of ${pendingTotal}\n` : rows
}

function neverEndingTable({ neverEnding }: Settled, output: Output): string {
  if (neverEnding.length === 0) return ''
  return table(
    neverEnding,
    [
      { title: 'PAYMENT', of: ({ payment }) => payment },
      { title: 'STATUS', of: ({ status }) => status },
      { title: 'WHY', of: ({ why }) => why, least: 20 },
    ],
    output,
  )
}
