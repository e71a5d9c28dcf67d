/** `node test/bench/profile.ts folder`: where the time of CPU profiles went, by function and by file. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[]
  samples: number[]
  timeDeltas: number[]
}

const SHOWN = 40
const [directory = '.'] = process.argv.slice(2)
for (const name of readdirSync(directory).filter((name) => name.endsWith('.cpuprofile'))) {
  const profile = JSON.parse(readFileSync(join(directory, name), 'utf8')) as Profile
  const byId = new Map(profile.nodes.map((node) => [node.id, node.callFrame]))
  const functions = new Map<string, number>()
  const files = new Map<string, number>()
  let total = 0
  for (const [i, id] of profile.samples.entries()) {
    const frame = byId.get(id)
    if (!frame || frame.functionName === '(idle)') continue
    const us = profile.timeDeltas[i] ?? 0
    const file = frame.url.replace(/^.*\/(?=(?:src|node_modules|test)\/)/, '')
    functions.set(
      `${frame.functionName || '(anonymous)'} ${file}:${frame.lineNumber + 1}`,
      (functions.get(`${frame.functionName || '(anonymous)'} ${file}:${frame.lineNumber + 1}`) ?? 0) + us,
    )
    files.set(file || frame.functionName, (files.get(file || frame.functionName) ?? 0) + us)
    total += us
  }
  console.log(`\n${name}: ${(total / 1000).toFixed(0)} ms busy`)
  for (const [title, times] of [
    ['functions', functions],
    ['files', files],
  ] as const) {
    console.log(`  ${title}, self time`)
    for (const [what, us] of [...times].sort((a, b) => b[1] - a[1]).slice(0, SHOWN)) {
      console.log(
        `  ${((us / total) * 100).toFixed(1).padStart(5)} %  ${(us / 1000).toFixed(0).padStart(7)} ms  ${what}`,
      )
    }
  }
}
