/**
 * Measures how long people wait, each row as a ratio or a bound in one run on one machine.
 *   npm run bench                       the rows that gate; writes test/bench/results.md
 *   npm run bench -- --all              the others too
 *   npm run bench -- steps holds        only these
 *   npm run bench -- --quick            smaller sizes, for a look
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { argumentsOf } from '../../src/apps/cli/read-arguments.ts'
import { callbacks, steps } from './due.ts'
import { questions } from './holds.ts'
import { type Benchmark, cleanUp, type Figure, path, type Row } from './kit.ts'
import { crowded, lifecycle, memory, post } from './requests.ts'
import { clone, command, packaged } from './start.ts'
import { tests, worlds } from './worlds.ts'

const GATES: Record<string, Benchmark> = {
  ...{ clone, packaged, command, worlds, tests, steps, lifecycle },
  ...{ questions, memory },
}
const OTHERS: Record<string, Benchmark> = { post, callbacks, crowded }
const benchmarks = { ...GATES, ...OTHERS }

const flags = [
  { name: 'all', help: 'The rows that gate nothing, too.' },
  { name: 'quick', help: 'Smaller sizes, for a look.' },
]
const given = argumentsOf({ words: '[NAME…]', flags }, process.argv.slice(2))
const names = given.words.length > 0 ? given.words : Object.keys(given.has('all') ? benchmarks : GATES)
const unknown = names.filter((name) => !(name in benchmarks))
if (unknown.length > 0)
  throw new Error(`Unknown: ${unknown.join(', ')}. There are ${Object.keys(benchmarks).join(', ')}.`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const rows: Row[] = []
const startedMs = performance.now()
for (const name of names) {
  const beganMs = performance.now()
  const measured = await benchmarks[name]?.({ quick: given.has('quick') })
  for (const row of measured ?? []) {
    rows.push(row)
    console.log(cells(row).join(' | '))
  }
  process.stderr.write(`${name} took ${((performance.now() - beganMs) / 1000).toFixed(0)} s\n`)
}
cleanUp()

const report = `# Benchmarks

${circumstances()}

| where people wait | mfano | baseline | figure | bar | met |
| --- | ---: | ---: | ---: | ---: | --- |
${rows.map((row) => `| ${cells(row).join(' | ')} |`).join('\n')}

${rows.map((row) => `- ${row.what}: ${row.how}`).join('\n')}
`
if (given.has('quick') || given.words.length > 0) console.log(`\n${report}`)
else writeFileSync(join(import.meta.dirname, 'results.md'), report)
if (rows.some((row) => isMet(row) === false)) process.exitCode = 1

function cells(row: Row): string[] {
  const { what, ours, baseline = '', figures } = row
  const met = isMet(row)
  const bars = figures.map(bar).filter((text) => text !== '')
  return [
    what,
    ours,
    baseline,
    figures.map(written).join(' · '),
    bars.join(' · '),
    met ? 'yes' : met === false ? 'no' : '',
  ]
}

function written({ value, unit = '' }: Figure): string {
  return `${value.toFixed(value >= 10 ? 0 : value >= 3 ? 1 : 2)}${unit}`
}

function bar({ most, least, unit = '' }: Figure): string {
  return most === undefined ? (least === undefined ? '' : `≥ ${least}${unit}`) : `≤ ${most}${unit}`
}

/** Undefined for a row without a bar. */
function isMet({ figures }: Row): boolean | undefined {
  const barred = figures.filter(({ most, least }) => most !== undefined || least !== undefined)
  if (barred.length === 0) return undefined
  return barred.every(({ value, most = Number.POSITIVE_INFINITY, least = 0 }) => value <= most && value >= least)
}

function circumstances(): string {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: path('.'), encoding: 'utf8' }).trim()
  const commit = git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : ' + changes')
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1)
  const [cpu] = cpus()
  return `Written by \`npm run bench\`: commit ${commit}, Node.js ${process.versions.node}, ${new Date().toISOString().slice(0, 10)},
${cpus().length} × ${cpu?.model.trim()}, ${minutes} minutes. Both sides of a ratio run in turns; figures are medians of the rounds.`
}
