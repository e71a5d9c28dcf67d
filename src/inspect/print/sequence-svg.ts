/** Draws a sequence as SVG, as narrow as a phone, so that its text is never made smaller. */
import { escaped } from '../../core/model/markup.ts'
import type { Sequence, SequencePart } from '../../core/model/sequence.ts'

const WIDTH = 360
/** Distance of the first and last lane from the edge. */
const EDGE = 46
const LINE = 14
/** Wide enough for most letters at 11 px. */
const LETTER = 5.9
const HEAD = 24

export function sequenceSvg({ lanes, steps }: Sequence): string {
  const gap = lanes.length > 1 ? (WIDTH - 2 * EDGE) / (lanes.length - 1) : 0
  const at = (lane: string | undefined) => EDGE + gap * Math.max(0, lanes.indexOf(lane ?? ''))
  let y = HEAD + 10
  const drawn = steps.map((step) => {
    const { markup, height } = 'over' in step ? note(step, at, y) : message(step, at, y)
    y += height
    return markup
  })
  const heads = lanes.map((lane) => {
    const x = at(lane)
    return `<line class="lane" x1="${x}" y1="${HEAD}" x2="${x}" y2="${y + 4}"/><rect class="head" x="${x - 44}" y="1" width="88" height="${HEAD - 2}" rx="5"/><text class="name" x="${x}" y="16">${escaped(lane)}</text>`
  })
  const told = steps.map((step) => ('over' in step ? step.text : `${step.from} to ${step.to}: ${step.text}`)).join('; ')
  return `<svg class="sequence" role="img" aria-label="${escaped(told)}" viewBox="0 0 ${WIDTH} ${y + 6}">${heads.join('')}${drawn.join('')}</svg>`
}

interface Drawn {
  markup: string
  height: number
}

type Place = (lane: string | undefined) => number

function message(step: Exclude<SequencePart, { over: unknown }>, at: Place, y: number): Drawn {
  const [from, to] = [at(step.from), at(step.to)]
  const isLost = step.sort === 'lost'
  const end = isLost ? from + (to - from) * 0.6 : to
  const lines = wrapped(step.text, (from + to) / 2)
  const under = y + lines.length * LINE + 2
  const way = Math.sign(to - from) || 1
  const tip = isLost
    ? `<path class="lost" d="M${end - 5} ${under - 5}l10 10m0 -10l-10 10"/>`
    : `<path class="tip" d="M${end} ${under}l${-7 * way} -4v8z"/>`
  const markup = `${texts(lines, (from + to) / 2, y + 10)}<line class="arrow ${step.sort ?? ''}" x1="${from}" y1="${under}" x2="${end}" y2="${under}"/>${tip}`
  return { markup, height: lines.length * LINE + 16 }
}

function note(step: Extract<SequencePart, { over: unknown }>, at: Place, y: number): Drawn {
  const [first, last] = [at(step.over[0]), at(step.over.at(-1))]
  const middle = (first + last) / 2
  const lines = wrapped(step.text, middle)
  const width = Math.min(WIDTH - 4, Math.max(last - first, ...lines.map(({ length }) => length * LETTER)) + 14)
  const left = Math.min(Math.max(2, middle - width / 2), WIDTH - 2 - width)
  const height = lines.length * LINE + 6
  const markup = `<rect class="note" x="${round(left)}" y="${y}" width="${round(width)}" height="${height}" rx="4"/>${texts(lines, left + width / 2, y + 13)}`
  return { markup, height: height + 10 }
}

/** Between the nearer edge and as far on the other side. */
function wrapped(text: string, middle: number): string[] {
  const most = Math.max(18, Math.floor((2 * Math.min(middle, WIDTH - middle) - 8) / LETTER))
  const lines: string[] = ['']
  for (const word of text.split(/\s+/).flatMap((one) => one.match(new RegExp(`.{1,${most}}`, 'gu')) ?? [])) {
    const line = lines.at(-1) ?? ''
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + 1 + word.length <= most) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines
}

function texts(lines: readonly string[], x: number, y: number): string {
  const middle = (line: string) => {
    const half = (line.length * LETTER) / 2
    return round(Math.min(Math.max(x, half + 3), WIDTH - 3 - half))
  }
  return lines.map((line, i) => `<text x="${middle(line)}" y="${y + i * LINE}">${escaped(line)}</text>`).join('')
}

function round(number: number): number {
  return Math.round(number * 10) / 10
}
