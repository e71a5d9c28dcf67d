import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { folder } from '../../apps/cli/support.ts'
import { useBench } from '../../support/harness.ts'

const bench = useBench()
const newman = createRequire(import.meta.url).resolve('newman/bin/newman.js')

it('runs from the top to the bottom, and again, as mfano serves it for Postman', { timeout: 120_000 }, async () => {
  const directory = folder()
  const { baseUrl } = bench.simulator
  const served = await fetch(`${baseUrl}/docs/mfano.postman_collection.json`)
  writeFileSync(join(directory, 'collection.json'), await served.text())
  for (let run = 1; run <= 2; run++) {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [newman, 'run', 'collection.json', '--reporters', 'json', '--reporter-json-export', `run-${run}.json`],
      { cwd: directory },
    ).catch(({ stdout, stderr }) => {
      throw new Error(`newman: ${stdout}${stderr}`)
    })
    expect(stdout).not.toMatch(/AssertionError|TypeError/)
  }
  const { worlds } = await (await fetch(`${baseUrl}/_mfano/worlds`)).json()
  expect(worlds).toHaveLength(3)
  const asked = await (await fetch(`${worlds[1].baseUrl}/_mfano/requests?limit=1000`)).json()
  expect(asked.requests.filter(({ status }: { status: number }) => status >= 300)).toEqual([])
})
