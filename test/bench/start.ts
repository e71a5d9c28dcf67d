/** From the start of a process to its first answer: of a clone, and of a package. */
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type Benchmark, compared, folder, interleave, path, ratioOf, Service } from './kit.ts'

const BARE = `const server = require('node:http').createServer((request, response) => response.end('ok'))
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })))`

export const clone: Benchmark = ({ quick }) =>
  start('a clone', path('bin/mfano.js'), { most: 6, rounds: quick ? 8 : 15 })

export const packaged: Benchmark = ({ quick }) => start('the package', built(), { most: 3.5, rounds: quick ? 8 : 15 })

async function start(what: string, entry: string, { most, rounds }: { most: number; rounds: number }) {
  const data = folder()
  const [ours, bare] = [() => firstAnswer(serving(entry, data)), () => firstAnswer(['-e', BARE])]
  // The first start compiles and makes the world.
  for (const once of [ours, ours, bare]) await once()
  const took = await interleave(rounds, ours, bare)
  const { value, ...both } = compared(took, 'ms', ratioOf(took.ours, took.baseline))
  return [
    {
      what: `start of ${what} to the first 200`,
      ...both,
      figures: [{ value, unit: '×' as const, most }],
      how: `from spawn to \`GET /_mfano/health\` on a directory that has its world, against \`node -e\` with an HTTP server; ${rounds} starts`,
    },
  ]
}

function serving(entry: string, data: string): string[] {
  return [entry, '--port', '0', '--data', data, '--log', 'off']
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

const entries = new Map<string, string>()

/** The command of a package that is built in a folder of its own, and leaves the project's dist alone. */
function built(): string {
  const known = entries.get(path(''))
  if (known !== undefined) return known
  const directory = folder()
  const sources = ['bin', 'clients', 'install', 'scenarios', 'src', 'README.md']
  for (const name of [...sources, 'package.json', 'package-lock.json', 'tsconfig.json'])
    cpSync(path(name), join(directory, name), { recursive: true })
  symlinkSync(path('node_modules'), join(directory, 'node_modules'))
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] })
  // With its sources it would be a clone.
  rmSync(join(directory, 'src'), { recursive: true })
  const entry = join(directory, 'bin/mfano.js')
  entries.set(path(''), entry)
  return entry
}
