/**
 * Measures how long people wait, each row as a ratio or a bound in one run on one machine.
 *   npm run bench                           writes test/bench/results.md
 *   npm run bench -- --against COMMIT       each row of another commit too, directly behind ours
 *   npm run bench -- --all                  also what a request costs in a large world
 *   npm run bench -- steps questions        only these
 *   npm run bench -- --quick                smaller sizes, for a look
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { argumentsOf } from '../../src/apps/cli/read-arguments.ts'
import { callbacks, steps } from './due.ts'
import { questions } from './holds.ts'
import { type Benchmark, cleanUp, type Figure, measuring, ownScript, path, type Row } from './kit.ts'
import { caller, crowded, lifecycle, memory, post, waiting } from './requests.ts'
import { clone, packaged } from './start.ts'
import { tests, worlds } from './worlds.ts'

const USUAL: Record<string, Benchmark> = {
  ...{ clone, packaged, worlds, tests, post, caller, lifecycle },
  ...{ steps, callbacks, waiting, questions, memory },
}
const benchmarks: Record<string, Benchmark> = { ...USUAL, crowded }

/** More processor time than the other commit takes for a request, at most. */
const DEARER_MOST = 0.15
const OF_REQUESTS = ['post', 'caller', 'lifecycle', 'steps', 'callbacks']

const flags = [
  { name: 'against', value: 'commit', help: 'Measures another commit too, in a worktree that is made once.' },
  { name: 'all', help: 'Also what a request costs in a large world.' },
  { name: 'quick', help: 'Smaller sizes, for a look.' },
]
const given = argumentsOf({ words: '[NAME…]', flags }, process.argv.slice(2))
const names = given.words.length > 0 ? given.words : Object.keys(given.has('all') ? benchmarks : USUAL)
const unknown = names.filter((name) => !(name in benchmarks))
if (unknown.length > 0)
  throw new Error(`Unknown: ${unknown.join(', ')}. There are ${Object.keys(benchmarks).join(', ')}.`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const commit = given.get('against')
const other = commit === undefined ? undefined : treeOf(commit)
const lines: string[][] = []
const methods: string[] = []
const startedMs = performance.now()
let missed = false
for (const name of names) {
  const beganMs = performance.now()
  const measure = async () => (await benchmarks[name]?.({ quick: given.has('quick') })) ?? []
  const rows = await measure()
  const theirs = other === undefined ? [] : await measuring(other, measure)
  for (const [i, row] of rows.entries()) {
    const than = theirs[i]
    const more = than && OF_REQUESTS.includes(name) ? dearer(row, than) : undefined
    const met = more !== undefined && more > DEARER_MOST ? false : isMet(row)
    missed ||= met === false
    const then = than
      ? [`${than.ours}, ${than.figures.map(written).join(' · ')}`, more === undefined ? '' : percent(more)]
      : []
    lines.push([...cells(row), met ? 'yes' : met === false ? 'no' : '', ...then])
    methods.push(`- ${row.what}: ${row.how}`)
    console.log(lines.at(-1)?.join(' | '))
  }
  process.stderr.write(`${name} took ${((performance.now() - beganMs) / 1000).toFixed(0)} s\n`)
}
cleanUp()

const more =
  other === undefined ? { titles: '', rule: '' } : { titles: ` ${commit} | dearer |`, rule: ' ---: | ---: |' }
const report = `# Benchmarks

${circumstances()}

| where people wait | mfano | baseline | figure | bar | met |${more.titles}
| --- | ---: | ---: | ---: | ---: | --- |${more.rule}
${lines.map((line) => `| ${line.join(' | ')} |`).join('\n')}

${methods.join('\n')}
`
if (given.has('quick') || given.words.length > 0) console.log(`\n${report}`)
else {
  const results = ownScript('results.md')
  const [, byHand = ''] = readFileSync(results, 'utf8').split('\n## Measured by hand\n')
  writeFileSync(results, `${report}\n## Measured by hand\n${byHand}`)
}
if (missed) process.exitCode = 1

/** A worktree of the commit with what it depends on, made once. */
function treeOf(commit: string): string {
  const tree = join(tmpdir(), 'mfano-bench', commit)
  const run = (command: string, words: string[], cwd: string) =>
    execFileSync(command, words, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
  run('git', ['worktree', 'prune'], path('.'))
  if (!existsSync(tree)) run('git', ['worktree', 'add', '--detach', tree, commit], path('.'))
  if (!existsSync(join(tree, 'node_modules/.package-lock.json'))) run('npm', ['ci'], tree)
  return tree
}

/** How much more it takes, as a share. Each is seen against its own baseline, because a machine changes its speed. */
function dearer(ours: Row, theirs: Row): number {
  const share = ({ ours, baseline = '1' }: Row) => Number.parseFloat(ours) / Number.parseFloat(baseline)
  const isCost = ours.baseline?.endsWith('/s') !== true
  return isCost ? share(ours) / share(theirs) - 1 : share(theirs) / share(ours) - 1
}

function percent(share: number): string {
  return `${share > 0 ? '+' : ''}${Math.round(share * 100)} %`
}

function cells({ what, ours, baseline = '', figures }: Row): string[] {
  const bars = figures.map(bar).filter((text) => text !== '')
  return [what, ours, baseline, figures.map(written).join(' · '), bars.join(' · ')]
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
