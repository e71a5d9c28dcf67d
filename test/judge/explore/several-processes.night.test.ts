/** An app of a web process and a worker on one database: each is killed alone, and all together. */
import { expect, it, vi } from 'vitest'
import { readMerchantFile } from '../../../src/judge/app/merchant-file.ts'
import type { Choice } from '../../../src/judge/explore/choice.ts'
import { SubjectRunner } from '../../../src/judge/explore/subject-runs.ts'
import { answer } from '../../apps/cli/support.ts'
import { edition } from '../editions.ts'

vi.setConfig({ testTimeout: 600_000 })

async function explore(file: string, ...more: string[]) {
  const { code, out, errors } = await answer(['explore', file, '--json', '--within', '1d', ...more])
  expect(errors).toBe('')
  return { code, ...(JSON.parse(out) as { findings: { code: string; choices: Choice[] }[]; unstable: object[] }) }
}

it('finds a mistake that only the death of the worker alone shows', async () => {
  const { code, findings } = await explore(edition('kibarua', 'web-recovers'), '--schedules', '120', '--findings', '1')
  expect(code).toBe(1)
  expect(findings).toMatchObject([{ choices: [{ do: 'crash', process: 'worker' }] }])
})

it('does not find it where all processes die together, or the web process does', async () => {
  const runner = await SubjectRunner.open({
    merchant: readMerchantFile(edition('kibarua', 'web-recovers')),
    seed: 1,
    jobs: 2,
    readyWithinMs: 60_000,
    restWithinMs: 20_000,
    signal: new AbortController().signal,
  })
  const at = { at: 'executed', on: 'createSendMoney', nth: 1 } as const
  try {
    const shown = async (choice: Choice) => (await runner.run([choice])).findings.map(({ code }) => code)
    expect(await shown({ do: 'crash', process: 'worker', ...at })).not.toEqual([])
    expect(await shown({ do: 'crash', ...at })).toEqual([])
    expect(await shown({ do: 'crash', process: 'web', ...at })).toEqual([])
  } finally {
    await runner.close()
  }
})

it('blames the careful edition for nothing, reset by its command', async () => {
  const found = await explore(edition('kibarua', ''), '--schedules', '6')
  expect(found).toMatchObject({ code: 0, findings: [], unstable: [] })
  expect(found).not.toHaveProperty('resetUnused')
})

it('is judged by the gauntlet, too', async () => {
  const typed = ['gauntlet', edition('kibarua', ''), '--json', '--scenario', 'default', '--scenario', 'callback-lost']
  const { code, out } = await answer(typed)
  expect(JSON.parse(out)).toMatchObject({ findings: [] })
  expect(code).toBe(0)
})
