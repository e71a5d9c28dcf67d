/** A merchant who is paid by bank transfer and polls the bank collections. */
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { readMerchantFile } from '../../../src/judge/app/merchant-file.ts'
import type { Choice } from '../../../src/judge/explore/choice.ts'
import { ScheduleRunner } from '../../../src/judge/explore/schedule-runner.ts'
import { othersOf } from '../../../src/judge/explore/schedules.ts'
import { command, folder } from '../../apps/cli/support.ts'

vi.setConfig({ testTimeout: 300_000 })
const file = join(import.meta.dirname, 'bank-invoices/merchant.yaml')

it('is judged on an ordinary day, and nothing is wrong with it', async () => {
  const { code, out } = await command(['gauntlet', file, '--scenario', 'default', '--json'], folder())
  const { scenarios, findings } = JSON.parse(out)
  expect({ code, findings }).toEqual({ code: 0, findings: [] })
  expect(scenarios).toMatchObject([{ verdict: 'clean' }])
})

/** What each edition is told, by what the customer of the first bill transfers. */
async function found(edition: '0' | '1'): Promise<Record<string, string[]>> {
  process.env['MENDED'] = edition
  const merchant = readMerchantFile(file)
  const never = new AbortController().signal
  const limits = { readyWithinMs: 60_000, restWithinMs: 60_000, signal: never }
  const runner = await ScheduleRunner.open({ merchant, seed: 1, jobs: 1, ...limits })
  const codes: Record<string, string[]> = {}
  try {
    const base = await runner.run([], { patience: 'first' })
    expect(base).toMatchObject({ findings: [], payments: [{ kind: 'bank-collection' }, { kind: 'bank-collection' }] })
    const offered = othersOf(base, merchant).filter(
      (one): one is Choice & { do: 'bank-payer' } => one.do === 'bank-payer',
    )
    for (const one of offered.filter(({ nth }) => nth === 1))
      codes[one.as] = (await runner.run([one])).findings.map(({ code }) => code)
  } finally {
    await runner.close()
    delete process.env['MENDED']
  }
  return codes
}

it('is found to mark an underpaid invoice as paid, and its mended edition is not accused', async () => {
  const wrong = ['wrong_amount']
  expect(await found('0')).toEqual({ less: wrong, more: wrong, twice: [], 'other-text': [] })
  expect(await found('1')).toEqual({ less: [], more: [], twice: [], 'other-text': [] })
})
