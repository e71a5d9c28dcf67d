/** From the start of a process to its first answer: of a clone, of a package, and of a command. */
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type Benchmark, compared, type Figure, finished, folder, interleave, path, ratioOf, Service } from './kit.ts'

const BARE = `const server = require('node:http').createServer((request, response) => response.end('ok'))
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })))`

export const clone: Benchmark = ({ quick }) =>
  start('a clone', path('bin/mfano.js'), { most: 5, rounds: quick ? 8 : 20 })

export const packaged: Benchmark = ({ quick }) => start('the package', built(), { most: 3.5, rounds: quick ? 8 : 20 })

export const command: Benchmark = async ({ quick }) => {
  const entry = built()
  const service = await Service.start(serving(entry, folder()))
  const bare = `fetch('${service.url('/_mfano/clock')}').then((r) => r.text()).then(console.log)`
  const took = await ratios(
    quick ? 8 : 20,
    () => timed(() => finished([entry, 'clock', 'show', '--url', service.url()])),
    () => timed(() => finished(['-e', bare])),
  )
  await service.stop()
  return [
    {
      ...row('a command that asks a server, `mfano clock show` of the package', took, 2),
      how: 'from spawn to exit, against `node -e` that fetches `/_mfano/clock` and prints it',
    },
  ]
}

async function start(what: string, entry: string, { most, rounds }: { most: number; rounds: number }) {
  const data = folder()
  const took = await ratios(
    rounds,
    () => firstAnswer(serving(entry, data)),
    () => firstAnswer(['-e', BARE]),
  )
  return [
    {
      ...row(`start of ${what} to the first 200`, took, most),
      how: `from spawn to \`GET /_mfano/health\` on a directory that has its world, against \`node -e\` with an HTTP server; ${rounds} starts`,
    },
  ]
}

type Took = Awaited<ReturnType<typeof ratios>>

/** Both once before, because the first start compiles and makes the world. */
async function ratios(rounds: number, ours: () => Promise<number>, baseline: () => Promise<number>) {
  for (const once of [ours, ours, baseline]) await once()
  const took = await interleave(rounds, ours, baseline)
  return compared(took, 'ms', ratioOf(took.ours, took.baseline))
}

function row(what: string, { value, ...both }: Took, most: number) {
  const figure: Figure = { value, unit: '×', most }
  return { what, ...both, figures: [figure] }
}

function serving(entry: string, data: string): string[] {
  return [entry, '--port', '0', '--data', data, '--log', 'off', '--json']
}

/** Milliseconds from spawn to the first 200. */
async function firstAnswer(nodeArguments: string[]): Promise<number> {
  const startedMs = performance.now()
  const service = await Service.start(nodeArguments)
  const answer = await fetch(service.url('/_mfano/health'))
  await answer.arrayBuffer()
  const tookMs = performance.now() - startedMs
  if (answer.status !== 200) throw new Error(`health answered ${answer.status}`)
  await service.stop()
  return tookMs
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}

let entryOfPackage: string | undefined

/** The command of a package that is built in a folder of its own, and leaves the project's dist alone. */
function built(): string {
  if (entryOfPackage !== undefined) return entryOfPackage
  const directory = folder()
  const sources = ['bin', 'clients', 'install', 'scenarios', 'src', 'README.md']
  for (const name of [...sources, 'package.json', 'package-lock.json', 'tsconfig.json'])
    cpSync(path(name), join(directory, name), { recursive: true })
  symlinkSync(path('node_modules'), join(directory, 'node_modules'))
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] })
  // With its sources it would be a clone.
  rmSync(join(directory, 'src'), { recursive: true })
  entryOfPackage = join(directory, 'bin/mfano.js')
  return entryOfPackage
}
