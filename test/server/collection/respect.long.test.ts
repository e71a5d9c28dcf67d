/** The usual flows as Redocly runs them: each step by its contract, against a server. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { answer, folder } from '../../apps/cli/support.ts'
import { useBench } from '../../support/harness.ts'

const bench = useBench()
const redocly = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')

async function run(typed: readonly string[], cwd: string) {
  // Neither its telemetry nor its look for a newer version goes out.
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { stdout } = await promisify(execFile)(process.execPath, [redocly, ...typed], { cwd, env }).catch(
    ({ stdout, stderr }) => {
      throw new Error(`redocly: ${stdout}${stderr}`)
    },
  )
  return stdout
}

it('runs from the address where a world serves them, and again', { timeout: 120_000 }, async () => {
  const world = await bench.world()
  const cwd = folder()
  const served = await fetch(`${world.baseUrl}/docs/mfano.arazzo.json`)
  expect(served.headers.get('content-disposition')).toContain('mfano.arazzo.json')
  writeFileSync(join(cwd, 'mfano.arazzo.json'), await served.text())
  expect(await run(['lint', 'mfano.arazzo.json'], cwd)).not.toMatch(/warning|error/i)
  for (let n = 1; n <= 2; n++) {
    await run(['respect', 'mfano.arazzo.json', '--json-output', 'told.json'], cwd)
    const { status, files } = JSON.parse(readFileSync(join(cwd, 'told.json'), 'utf8'))
    const [told] = Object.values<{
      totalRequests: number
      executedWorkflows: object[]
    }>(files)
    expect({ status, totalRequests: told?.totalRequests, flows: told?.executedWorkflows.length }).toEqual({
      status: 'success',
      totalRequests: 16,
      flows: 3,
    })
  }
  const { requests } = await world.control('GET', '/requests?limit=1000')
  expect(requests.filter(({ status }: { status: number }) => status >= 300)).toEqual([])
})

it('fails where the service answers otherwise', { timeout: 120_000 }, async () => {
  const world = await bench.world({
    scenario: {
      name: 'down',
      description: 'Payouts fail.',
      extends: 'default',
      rules: [{ name: 'all fail', on: 'send-money', then: { after: '1s', end: 'FAILED' } }],
    },
  })
  const cwd = folder()
  expect(await answer(['collection', 'arazzo', '--out', cwd, '--url', world.baseUrl])).toMatchObject({ code: 0 })
  await expect(run(['respect', 'mfano.arazzo.json', '--workflow', 'payOut'], cwd)).rejects.toThrow(/getSendMoneyStatus/)
})
