/**
 * Has every case of the corpus judged, and prints the table.
 *   npm run corpus                        all of them, a minute for each judge at most
 *   npm run corpus -- NAME…               only these
 *   npm run corpus -- --within 20s        so long at most for each judge
 *   npm run corpus -- --only buggy        or mended: only one of both editions
 *   npm run corpus -- --write             writes what was measured into results.json, and the README's table of it
 *   npm run corpus -- --print             only prints the table of results.json; with --write, into the README
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { argumentsOf } from '../../src/apps/cli/read-arguments.ts'
import { parseDuration } from '../../src/core/model/time.ts'
import { type Case, cases } from './cases.ts'
import { canRun, explored, ranGauntlet } from './judge-case.ts'
import { type Judged, pageWith, type Results, rowOf, summary, table } from './table.ts'

const RESULTS = join(import.meta.dirname, 'results.json')
const PAGE = join(import.meta.dirname, 'README.md')

const flags = [
  { name: 'within', value: 'time', help: 'How long each judge may take.', byDefault: '60s' },
  { name: 'mended-within', value: 'time', help: 'The same for mended editions.', byDefault: '60s' },
  { name: 'only', value: 'buggy|mended', help: 'Only one edition; the other stays as it was measured last.' },
  { name: 'write', help: 'Keep what was measured, and write the table into the README.' },
  { name: 'print', help: 'Print the table of what was measured last.' },
]
const given = argumentsOf({ words: '[NAME…]', flags }, process.argv.slice(2))
const ms = (name: string) => (parseDuration(given.get(name) as string) as number) / 1000
const wanted = cases.filter(({ name }) => given.words.length === 0 || given.words.includes(name))

const before: Results = JSON.parse(readFileSync(RESULTS, 'utf8'))

async function judged(one: Case): Promise<Judged> {
  const known = before.cases.find(({ name }) => name === one.name)
  const only = given.get('only')
  const limits = { withinMs: ms('within') }
  const asBefore = only === 'mended' ? known : undefined
  const explore = asBefore?.explore ?? (await explored(one, 'buggy', limits))
  const gauntlet = asBefore?.gauntlet ?? (await ranGauntlet(one, 'buggy', limits))
  const mendedLimits = { withinMs: ms('mended-within') }
  const mended =
    only === 'buggy'
      ? (known?.mended ?? [])
      : [await explored(one, 'mended', mendedLimits), await ranGauntlet(one, 'mended', mendedLimits)]
  return { name: one.name, explore, gauntlet, mended }
}

function write(results: Results): void {
  writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`)
  writeFileSync(PAGE, pageWith(readFileSync(PAGE, 'utf8'), `${summary(results)}\n\n${table(results.cases)}`))
}

const machine = `${availableParallelism()} processors ${cpus()[0]?.model ?? ''}, Node ${process.versions.node}, other work on them: load ${loadavg()[2]?.toFixed(0)}`
const within = given.get('within') as string
const all: Judged[] = given.has('print') ? [...before.cases] : []
for (const one of given.has('print') ? [] : wanted) {
  if (!canRun(one)) {
    console.log(`${one.name}: ${one.stack} is not on this machine`)
    continue
  }
  const of = await judged(one)
  all.push(of)
  console.log(`${rowOf(of).join(' | ')} | load ${loadavg()[0]?.toFixed(0)}`)
  // As it goes: an interrupted run keeps what it has.
  const kept = cases.flatMap(({ name }) => [...all, ...before.cases].find((other) => other.name === name) ?? [])
  if (given.has('write')) write({ within, machine, cases: kept })
}
if (given.has('print') && given.has('write')) write(before)
console.log(`\n${table(all)}\n\n${summary({ within, machine, cases: all })}`)
if (given.get('only') !== undefined) console.log('The other edition is as it was measured last.')
