/** The suites of the example merchants, beside each other against one mfano. */
import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'vitest'
import { mfano } from '../support/program.ts'

const ROUND_MS = 60_000
const hasPython = spawnSync('python3', ['--version']).status === 0

/** A merchant's folder, how its suite is run there, and what that says when it is good. */
interface Suite {
  folder: string
  command: [program: string, ...words: string[]]
  passed: RegExp
  leastTests: number
}

/** As Node 22 calls what later ones call `--test-isolation`. */
const isolation = process.versions.node.startsWith('22.') ? '--experimental-test-isolation' : '--test-isolation'

const typescript: Suite = {
  folder: 'typescript',
  command: [process.execPath, '--test', `${isolation}=none`, '--test-reporter=spec', 'test/*.test.ts'],
  passed: /pass (\d+)\n[\s\S]* fail 0\n/,
  leastTests: 35,
}
const python: Suite = {
  folder: 'python',
  command: ['python3', '-m', 'tests'],
  passed: /Ran \d+ tests: (\d+) passed, 0 failed/,
  leastTests: 28,
}

/** Runs a suite in its folder, and gives how many tests passed; where not all did, fails with everything it said. */
async function run({ folder, command, passed, leastTests }: Suite, mfanoUrl: string, seed: number): Promise<number> {
  const [program, ...words] = command
  const given = { MFANO_URL: mfanoUrl, MFANO_SEED: String(seed), PYTHONDONTWRITEBYTECODE: '1' }
  const env = { ...process.env, ...given }
  const child = spawn(program, words, { cwd: join(import.meta.dirname, folder), env, timeout: ROUND_MS })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      said += text
    })
  const code = await new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject))
  const count = Number(passed.exec(said)?.[1] ?? 0)
  if (code !== 0 || count < leastTests)
    throw new Error(`the suite in ${folder} ended with ${code} in the round with seed ${seed}:\n${said}`)
  return count
}

/** How long so many rounds may take at most. */
export const longest = (rounds: number): number => rounds * ROUND_MS

/**
 * Two merchants, each with a suite of its own, against one mfano: the real program, in a process of its own. Their tests
 * run beside each other, each round with other chances; a world for each test keeps them apart.
 */
export async function expectPass(rounds: number, skip: (why: string) => void): Promise<void> {
  const suites = hasPython ? [typescript, python] : [typescript]
  const { baseUrl } = await mfano('--port=0', '--data=:memory:').ready()
  for (let seed = 1; seed <= rounds; seed++) {
    const counts = await Promise.all(suites.map((suite) => run(suite, baseUrl, seed)))
    console.log(`round ${seed}: ${suites.map(({ folder }, i) => `${folder} ${counts[i]} passed`).join(', ')}`)
  }
  const { worlds } = await (await fetch(`${baseUrl}/_mfano/worlds`)).json()
  expect(worlds.map(({ id }: { id: string }) => id)).toEqual(['default'])
  if (!hasPython) skip('this machine has no python3; the merchant in TypeScript passed')
}
