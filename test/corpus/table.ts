import { cases } from './cases.ts'
import type { Said } from './judge-case.ts'

/** What both judges said of one case, on a day and a machine. */
export interface Judged {
  name: string
  explore: Said
  gauntlet: Said
  /** By both judges. */
  mended: readonly Said[]
}

/** What is known of the cases: how long each judge had, and on what machine. */
export interface Results {
  within: string
  machine: string
  cases: readonly Judged[]
}

const HEAD = ['Bug', 'Merchant', '`gauntlet`', '`explore`']

function told({ found, codes, unjudged, seconds }: Said): string {
  if (found) return `\`${found.code}\` (${found.by}): ${found.seconds} s`
  if (codes.length > 0) return `only ${[...new Set(codes)].map((code) => `\`${code}\``).join(', ')}`
  return unjudged === undefined ? `not in ${Math.round(seconds)} s` : `not judged: ${unjudged.split('\n')[0]}`
}

export function rowOf({ name, explore, gauntlet }: Judged): string[] {
  const one = cases.find((other) => other.name === name)
  if (!one) throw new Error(`There is no case ${name}.`)
  const written = one.original === undefined ? one.stack : `${one.stack}, for ${one.original}`
  return [`[${one.bug}](${one.link})`, `[${one.name}](cases/${one.name}), ${written}`, told(gauntlet), told(explore)]
}

export function table(all: readonly Judged[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(HEAD), line(HEAD.map(() => '---')), ...all.map((one) => line(rowOf(one)))].join('\n')
}

export function summary({ cases: all, within, machine }: Results): string {
  const count = (is: (one: Judged) => boolean) => all.filter(is).length
  const either = count(({ gauntlet, explore }) => Boolean(gauntlet.found ?? explore.found))
  const named = (is: (one: Judged) => boolean) => all.filter(is).map(({ name }) => name)
  const runsOf = ({ mended }: Judged) => mended.reduce((sum, one) => sum + one.runs, 0)
  const accused = named(({ mended }) => mended.some(({ codes, unstable }) => codes.length + unstable.length > 0))
  const skipped = named((one) => runsOf(one) === 0 || one.mended.some(({ unjudged }) => unjudged !== undefined))
  const asked = all.reduce((sum, one) => sum + runsOf(one), 0)
  return [
    `\`gauntlet\` finds ${count(({ gauntlet }) => gauntlet.found !== undefined)} of these ${all.length} bugs, and`,
    `\`explore\` ${count(({ explore }) => explore.found !== undefined)}, within ${within} each. Together they find ${either}.`,
    '',
    `Mended editions that were accused: ${accused.join(', ') || 'none'}, in ${asked} runs. Not judged: ${skipped.join(', ') || 'none'}.`,
    '',
    `${machine}.`,
  ].join('\n')
}

/** A page with another table between its marks. */
export function pageWith(page: string, text: string): string {
  const marks = /(<!-- measured: npm run corpus -- --write -->\n)[\s\S]*?(\n<!-- end -->)/
  if (!marks.test(page)) throw new Error('The page has no marks between which the table could stand.')
  return page.replace(marks, (_, begin, end) => `${begin}\n${text}\n${end}`)
}
