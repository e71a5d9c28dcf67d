/**
 * Has every case of the corpus judged, and prints the table.
 *   npm run corpus                        all of them, a minute for each judge at most
 *   npm run corpus -- NAME…               only these
 *   npm run corpus -- --within 20s        so long at most for each judge
 *   npm run corpus -- --write             writes the table into the documentation, too
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { argumentsOf } from '../../src/apps/cli/read-arguments.ts'
import { parseDuration } from '../../src/core/model/time.ts'
import { type Case, cases } from './cases.ts'
import { canRun, explored, ranGauntlet } from './judge-case.ts'
import { type Judged, pageWith, rowOf, summary, table } from './table.ts'

const PAGE = join(import.meta.dirname, '../../src/docs/judge.md')

const flags = [
  { name: 'within', value: 'time', help: 'How long each judge may take.', byDefault: '60s' },
  { name: 'mended-within', value: 'time', help: 'The same for mended editions.', byDefault: '60s' },
  { name: 'write', help: 'Write the table into the documentation.' },
]
const given = argumentsOf({ words: '[NAME…]', flags }, process.argv.slice(2))
const ms = (name: string) => (parseDuration(given.get(name) as string) as number) / 1000
const wanted = cases.filter(({ name }) => given.words.length === 0 || given.words.includes(name))

async function judged(one: Case): Promise<Judged> {
  const within = [ms('within'), ms('mended-within')] as const
  const explore = await explored(one, 'buggy', within[0])
  const gauntlet = await ranGauntlet(one, 'buggy', within[0])
  const mended = [await explored(one, 'mended', within[1]), await ranGauntlet(one, 'mended', within[1])]
  return { one, explore, gauntlet, mended }
}

const all: Judged[] = []
for (const one of wanted) {
  if (!canRun(one)) {
    console.log(`${one.name}: ${one.stack} is not on this machine`)
    continue
  }
  const of = await judged(one)
  all.push(of)
  console.log(rowOf(of).join(' | '))
}
const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? 'processor'}, Node ${process.versions.node}, load ${loadavg()[1]?.toFixed(0)}`
console.log(`\n${table(all)}\n\n${summary(all, given.get('within') as string, machine)}`)
if (given.has('write'))
  writeFileSync(PAGE, pageWith(readFileSync(PAGE, 'utf8'), `${summary(all, given.get('within') as string, machine)}\n\n${table(all)}`))
