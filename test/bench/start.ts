/** From the start of the process to the first 200, against the least that listens. */
import { execFileSync } from 'node:child_process'
import { cpSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type Benchmark, folder, interleave, median, path, type Row, ratioOf, Service } from './kit.ts'

const BARE = `const server = require('node:http').createServer((request, response) => response.end('ok'))
server.listen(0, '127.0.0.1', () => console.log(JSON.stringify({ port: server.address().port })))`

export const start: Benchmark = async (plan) => {
  const rounds = plan.quick ? 8 : 20
  const rows: Row[] = []
  for (const [entry, what, budget] of [
    [path('bin/mfano.js'), '`bin/mfano.js` of a clone', 7],
    [built(), '`bin/mfano.js` of a package', 5],
  ] as const) {
    const data = folder()
    const ours = () => firstAnswer([entry, '--port', '0', '--data', data, '--log', 'off'], true)
    const bare = () => firstAnswer(['-e', BARE], false)
    // The first start compiles and makes the world.
    await ours()
    await ours()
    await bare()
    const results = await interleave(rounds, ours, bare)
    const ratio = ratioOf(results.ours, results.baseline)
    rows.push({
      what: `process start to the first 200, ${what}`,
      ours: `${median(results.ours).toFixed(0)} ms`,
      baseline: `${median(results.baseline).toFixed(0)} ms`,
      ratio: ratio.toFixed(1),
      budget: `at most ${budget}`,
      met: ratio <= budget,
      how: `From spawn until GET /_mfano/health answered 200, on a data directory that has its world and with a warm compile cache, against \`node -e\` with an HTTP server that answers; ${rounds} interleaved starts.`,
    })
  }
  return rows
}

/** Milliseconds from spawn to the first 200. */
export async function firstAnswer(nodeArguments: string[], profiled: boolean): Promise<number> {
  const startedMs = performance.now()
  const service = await Service.start(nodeArguments, { profiled })
  const answer = await fetch(service.url('/_mfano/health'))
  await answer.arrayBuffer()
  const tookMs = performance.now() - startedMs
  if (answer.status !== 200) throw new Error(`health answered ${answer.status}`)
  await service.stop()
  return tookMs
}

/** The command of a package that is built in a folder of its own, and leaves the project's dist alone. */
function built(): string {
  const directory = folder()
  for (const name of ['bin', 'install', 'src', 'scenarios', 'package.json', 'tsconfig.json']) {
    cpSync(path(name), join(directory, name), { recursive: true })
  }
  symlinkSync(path('node_modules'), join(directory, 'node_modules'))
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: directory, stdio: ['ignore', 'ignore', 'inherit'] })
  // With its sources it would be a clone.
  rmSync(join(directory, 'src'), { recursive: true })
  return join(directory, 'bin/mfano.js')
}
