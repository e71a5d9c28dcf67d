/** The corpus as a table in Markdown, for a terminal and for the documentation. */
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

const HEAD = ['Bug', 'Reported in', 'Merchant', '`gauntlet`', '`explore`', 'Mended']

function told({ found, runs, codes, unjudged, seconds }: Said): string {
  if (found) return `\`${found.code}\` (${found.by}): ${found.seconds} s`
  if (codes.length > 0) return `only ${[...new Set(codes)].map((code) => `\`${code}\``).join(', ')}`
  return unjudged === undefined
    ? `not in ${Math.round(seconds)} s (${runs} runs)`
    : `not judged: ${unjudged.split('\n')[0]}`
}

function clean(mended: readonly Said[]): string {
  const accused = mended.flatMap(({ codes, unstable }) => [...codes, ...unstable])
  if (accused.length > 0) return `accused: ${[...new Set(accused)].join(', ')}`
  const runs = mended.reduce((sum, one) => sum + one.runs, 0)
  if (runs === 0) return 'not run'
  return mended.every(({ unjudged }) => unjudged === undefined) ? `clean in ${runs} runs` : 'not judged'
}

export function rowOf({ name, explore, gauntlet, mended }: Judged): string[] {
  const one = cases.find((other) => other.name === name)
  if (!one) throw new Error(`There is no case ${name}.`)
  const [owner, repository, , number] = one.link.split('/').slice(3)
  const written = one.original === undefined ? one.stack : `${one.stack}, for ${one.original}`
  const place = `[${owner}/${repository} #${number}](${one.link})`
  return [
    one.bug,
    place,
    `[${one.name}](../../test/corpus/cases/${one.name}), ${written}`,
    told(gauntlet),
    told(explore),
    clean(mended),
  ]
}

export function table(all: readonly Judged[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(HEAD), line(HEAD.map(() => '---')), ...all.map((one) => line(rowOf(one)))].join('\n')
}

export function summary({ cases: all, within, machine }: Results): string {
  const count = (is: (one: Judged) => boolean) => all.filter(is).length
  const either = count(({ gauntlet, explore }) => Boolean(gauntlet.found ?? explore.found))
  const accused = count(({ mended }) => mended.some(({ codes, unstable }) => codes.length + unstable.length > 0))
  const asked = all.reduce((sum, { mended }) => sum + mended.reduce((runs, one) => runs + one.runs, 0), 0)
  return [
    `Of these ${all.length} bugs, \`gauntlet\` finds ${count(({ gauntlet }) => gauntlet.found !== undefined)}`,
    `and \`explore\` ${count(({ explore }) => explore.found !== undefined)} within ${within} each; together they find ${either}.`,
    `Of the mended editions, ${accused === 0 ? 'none is' : `${accused} are`} accused, in ${asked} runs. (${machine}.)`,
  ].join('\n')
}

/** A page with another table between its marks. */
export function pageWith(page: string, text: string): string {
  const marks = /(<!-- measured: npm run corpus -- --write -->\n)[\s\S]*?(\n<!-- end -->)/
  if (!marks.test(page)) throw new Error('The page has no marks between which the table could stand.')
  return page.replace(marks, (_, begin, end) => `${begin}\n${text}\n${end}`)
}
