import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { mfano } from '../support/program.ts'

// Two merchants, each with a suite of its own, against one mfano: the real program, in a process of its own. Their tests
// run beside each other, over and over, each time with other chances; a world for each test keeps them apart.

const ROUNDS = 5
const ROUND_MS = 60_000

const suites = {
  typescript: {
    command: [process.execPath, '--test', '--test-isolation=none', '--test-reporter=spec', 'test/*.test.ts'],
    passed: /pass (\d+)\n[\s\S]* fail 0\n/,
    leastTests: 25,
  },
}

/** Runs a suite in its folder; what it said, when it is good, and an error that says it all, when it is not. */
async function runSuite(name: keyof typeof suites, env: Record<string, string>): Promise<string> {
  const { command } = suites[name]
  const [program = '', ...words] = command
  const child = spawn(program, words, {
    cwd: join(import.meta.dirname, name),
    env: { ...process.env, ...env },
    timeout: ROUND_MS,
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (text) => {
      said += text
    })
  const code = await new Promise<number | null>((resolve, reject) => child.on('close', resolve).on('error', reject))
  if (code !== 0) throw new Error(`the ${name} merchant's suite ended with ${code}, ${JSON.stringify(env)}:\n${said}`)
  return said
}

it(
  `passes ${ROUNDS} times, every test in a world of its own`,
  async () => {
    const { baseUrl } = await mfano('--port=0', '--data=:memory:').ready()
    for (let seed = 1; seed <= ROUNDS; seed++) {
      const env = { MFANO_URL: baseUrl, MFANO_SEED: String(seed) }
      await Promise.all(
        (Object.keys(suites) as (keyof typeof suites)[]).map(async (name) => {
          const { passed, leastTests } = suites[name]
          const said = await runSuite(name, env)
          const [, count] = passed.exec(said) ?? []
          expect(Number(count), said).toBeGreaterThanOrEqual(leastTests)
          console.log(`${name}, round ${seed}: ${count} passed`)
        }),
      )
    }
    const { worlds } = await (await fetch(`${baseUrl}/_mfano/worlds`)).json()
    expect(worlds.map(({ id }: { id: string }) => id)).toEqual(['default'])
  },
  ROUNDS * ROUND_MS,
)
