/**
 * Measures the budgets of the design, each as a ratio in one run on one machine.
 *   npm run bench                       all of them, and writes test/bench/results.md
 *   npm run bench -- post steps         only these
 *   npm run bench -- --quick            smaller sizes, for a look
 *   npm run bench -- steps --profile d  CPU profiles of the measured processes into the folder d; see profile.ts
 */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join, resolve } from 'node:path'
import { argumentsOf } from '../../src/apps/cli/read-arguments.ts'
import { callbacks } from './callbacks.ts'
import { caller } from './caller.ts'
import { decide } from './decide.ts'
import { explore } from './explore.ts'
import { type Benchmark, cleanUp, path, profileInto, type Row } from './kit.ts'
import { lifecycle } from './lifecycle.ts'
import { memory } from './memory.ts'
import { peers } from './peers.ts'
import { million, post } from './post.ts'
import { processes } from './processes.ts'
import { settle } from './settle.ts'
import { start } from './start.ts'
import { steps } from './steps.ts'
import { suite } from './suite.ts'
import { world } from './world.ts'
import { worlds } from './worlds.ts'

const benchmarks: Record<string, Benchmark> = {
  start,
  world,
  worlds,
  processes,
  post,
  peers,
  caller,
  lifecycle,
  memory,
  million,
  steps,
  callbacks,
  settle,
  decide,
  suite,
  explore,
}

const flags = [
  { name: 'quick', help: 'Smaller sizes, for a look.' },
  { name: 'profile', value: 'folder', help: 'CPU profiles of the measured processes.' },
]
const given = argumentsOf({ words: '[NAME…]', flags }, process.argv.slice(2))
const { words: names } = given
const unknown = names.filter((name) => !(name in benchmarks))
if (unknown.length > 0)
  throw new Error(`Unknown: ${unknown.join(', ')}. There are ${Object.keys(benchmarks).join(', ')}.`)
const profile = given.get('profile')
if (profile !== undefined) profileInto(resolve(profile))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

const rows: Row[] = []
const startedMs = performance.now()
for (const [name, benchmark] of Object.entries(benchmarks)) {
  if (names.length > 0 && !names.includes(name)) continue
  const beganMs = performance.now()
  process.stderr.write(`${name} …\n`)
  for (const row of await benchmark({ quick: given.has('quick') })) {
    rows.push(row)
    console.log(
      `${row.what}: ${row.ours}${row.baseline && ` against ${row.baseline}`}: ${row.ratio} (${row.budget}) ${verdict(row)}`,
    )
  }
  process.stderr.write(`${name} took ${((performance.now() - beganMs) / 1000).toFixed(0)} s\n`)
}
cleanUp()

const report = `# Benchmarks

${circumstances()}

| what | mfano | baseline | ratio | budget | met |
| --- | ---: | ---: | ---: | --- | --- |
${rows.map((row) => `| ${row.what} | ${row.ours} | ${row.baseline} | ${row.ratio} | ${row.budget} | ${verdict(row)} |`).join('\n')}

How each was measured:

${rows.map((row) => `- **${row.what}**: ${row.how}`).join('\n')}
`
if (given.has('quick') || names.length > 0 || profile !== undefined) console.log(`\n${report}`)
else {
  const file = join(import.meta.dirname, 'results.md')
  writeFileSync(file, report)
  console.log(`\nWritten to ${file}`)
}

function verdict({ met, budget }: Row): string {
  if (budget === 'for comparison') return '-'
  return met ? 'yes' : 'no'
}

/** What was measured, and on what. */
function circumstances(): string {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: path('.'), encoding: 'utf8' }).trim()
  const commit = git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain') === '' ? '' : ' + changes')
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1)
  const [cpu] = cpus()
  return `Written by \`npm run bench\`: commit ${commit}, Node.js ${process.versions.node}, ${new Date().toISOString().slice(0, 10)},
${cpus().length} × ${cpu?.model.trim()}, ${minutes} minutes. Ratios compare both sides in one run on one machine, the median of interleaved rounds;
the figures beside them say nothing about another machine.`
}
