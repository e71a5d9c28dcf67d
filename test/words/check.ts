/**
 * Checks the words of documentation, help, dashboard, pages, reports, comments and descriptions: `npm run lint` runs it. With names of files it
 * checks those.
 */
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { entries } from '../../src/apps/cli/tree.ts'
import { readDocument } from '../support/examples.ts'
import { countOf, type Measured, measured } from './rules.ts'
import { uiTexts } from './ui-texts.ts'

const SUMMARY_WORDS_MAX = 10
const root = join(import.meta.dirname, '../..')
/** Its generated part is comments of scenarios. */
const CATALOGUE = 'src/docs/catalogue.md'

const named = process.argv.slice(2)
/** Where texts are that somebody reads; what reaches only the documentation is held there. */
const PROGRAMS = 'src/{apps/cli,apps/dashboard,inspect,judge,server}/**/*.{ts,tsx}'
/** A comment or a description begins with the thing that it is about, and ends with all of it. */
const RIDDLE =
  /(?:\/\*\*|^\s*\*|\/\/|describe\(['"`]) ?(?:What|Who|Whoever|Whom|Of|In place of) |describe\(.*\bwithout\.?['"`]\)/
const SOURCES = '{src,install,bin}/**/*.{ts,tsx,js}'
const ours = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'install/generate/pages/SKILL.md']
const folders = ['src/docs', 'clients', 'scenarios', 'decisions']
const pages = named.length > 0 ? named : [...ours, ...folders.flatMap(pagesIn)]

let wrong = 0
const total: Omit<Measured, 'problems'> = { words: 0, longestSentence: 0, longestCell: 0 }
for (const page of pages)
  hold(page, page === CATALOGUE ? readFileSync(join(root, page), 'utf8') : readDocument(root, page))
if (named.length === 0)
  for (const file of globSync(PROGRAMS, { cwd: root }))
    for (const { line, text } of uiTexts(join(root, file))) hold(file, text, line)
if (named.length === 0)
  for (const file of globSync(SOURCES, { cwd: root, exclude: (name) => name.endsWith('.gen.ts') }))
    for (const [at, line] of readFileSync(join(root, file), 'utf8').split('\n').entries())
      if (RIDDLE.test(line)) {
        wrong++
        say(`${file}:${at + 1}: says too late what it is about: ${line.trim()}`)
      }
for (const summary of await summaries()) {
  if (countOf(summary) <= SUMMARY_WORDS_MAX) continue
  wrong++
  say(`a summary has at most ${SUMMARY_WORDS_MAX} words: ${summary}`)
}
say(`${total.words} words held; longest sentence ${total.longestSentence}, longest cell ${total.longestCell}`)
process.exitCode = wrong > 0 ? 1 : 0

/** `first`: the line of the file at which the text begins. */
function hold(file: string, markdown: string, first = 1): void {
  const { problems, words, longestSentence, longestCell } = measured(markdown)
  total.longestSentence = Math.max(total.longestSentence, longestSentence)
  total.longestCell = Math.max(total.longestCell, longestCell)
  total.words += words
  wrong += problems.length
  for (const { line, text, why } of problems) say(`${file}:${first + line - 1}: ${why}: ${text}`)
}

function pagesIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => relative(root, join(root, folder, name)))
}

async function summaries(): Promise<string[]> {
  const groups = await Promise.all(
    entries.map(async ({ summary, load }) => {
      const found = await load()
      const commands = 'commands' in found ? found.commands : [found]
      return [summary, ...commands.map((one) => one.summary)]
    }),
  )
  return groups.flat()
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
