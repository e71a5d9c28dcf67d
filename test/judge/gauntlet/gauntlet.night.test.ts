/** An app under many scenarios: what is found in careful apps, and in those with a planted mistake. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import type { GauntletReport } from '../../../src/judge/strategies/gauntlet-document.ts'
import { answer } from '../../apps/cli/support.ts'
import { plainWith } from '../editions.ts'

const merchants = join(import.meta.dirname, '../../merchants')
/** Apps and worlds beside each other, on a machine that may be busy. */
vi.setConfig({ testTimeout: 240_000 })

interface Judged extends GauntletReport {
  code: number
}

/** Runs the gauntlet, and gives its one document. */
async function gauntlet(file: string, ...more: string[]): Promise<Judged> {
  const { code, out, errors } = await answer(['gauntlet', file, '--json', ...more])
  expect(errors).toBe('')
  return { code, ...JSON.parse(out) }
}

function under(...names: string[]): string[] {
  return names.flatMap((name) => ['--scenario', name])
}

/** It takes an accepted payout for a paid one. */
const acceptedIsPaid = () =>
  plainWith(
    ['line.update(state="PENDING", requestId', 'line.update(state="SUCCESS", requestId'],
    ['elif line["state"] != "REFUSED":', 'elif line["state"] == "PENDING":'],
  )

describe('a merchant in plain Python, without any kit', () => {
  const file = join(merchants, 'plain/merchant.yaml')

  it('passes, and what cannot matter to it is skipped with the reason', async () => {
    const report = await gauntlet(
      file,
      ...under('executed-but-503', 'late-reversal', 'callback-twice', 'stk-wrong-pin'),
    )
    expect(report).toMatchObject({ code: 0, merchant: 'plain', findings: [], interrupted: false })
    expect(report.scenarios.map(({ scenario, verdict, why }) => [scenario, verdict, why])).toEqual([
      ['callback-twice', 'clean', undefined],
      ['executed-but-503', 'clean', undefined],
      ['late-reversal', 'clean', undefined],
      ['stk-wrong-pin', 'skipped', 'no stk is ever sent'],
    ])
  })

  it('is found out when it asks again under a new reference, as a story', async () => {
    const wrong = plainWith([
      'if look(line) == "absent" and now - line["asked"] >= SURELY_LOST_S:',
      // Twice: one that never ends takes long to be given up.
      'if "xx" in line["reference"]:\n                look(line)\n            else:\n                line["reference"] += "x"',
    ])
    const report = await gauntlet(wrong, ...under('executed-but-503', 'late-reversal'))
    expect(report.code).toBe(1)
    const [finding] = report.findings
    expect(finding).toMatchObject({ code: 'paid_twice', scenario: 'executed-but-503' })
    expect(finding?.text).toMatch(/KES 1,000\.00/)
    expect(finding?.requests.join('\n')).toMatch(/POST \/api\/sandbox\/v1\/send-money → 503/)
    expect(finding?.advice).not.toBe('')
    expect(report.scenarios.find(({ scenario }) => scenario === 'late-reversal')?.verdict).toBe('clean')
  })
})

it('comes to the same verdicts whether it leaves out what cannot matter or not', async () => {
  const wrong = acceptedIsPaid()
  const names = under('late-reversal', 'stk-wrong-pin', 'partial-outage', 'checkout-abandoned')
  const [pruned, full] = [await gauntlet(wrong, ...names), await gauntlet(wrong, ...names, '--full')]
  expect(full.findings).toEqual(pruned.findings)
  expect(pruned.scenarios.filter(({ verdict }) => verdict === 'skipped')).toHaveLength(3)
  expect(full.scenarios.filter(({ verdict }) => verdict === 'skipped')).toHaveLength(0)
})

it('writes every report', async () => {
  const wrong = acceptedIsPaid()
  const at = (name: string) => join(wrong, '..', name)
  const forms = ['junit', 'html'].flatMap((form) => [`--${form}`, at(form)])
  expect((await gauntlet(wrong, ...under('late-reversal'), ...forms)).code).toBe(1)
  expect(readFileSync(at('junit'), 'utf8')).toMatch(/<failure type="taken_back"/)
  expect(readFileSync(at('html'), 'utf8')).toMatch(/taken_back: 2 findings under late-reversal/)
})
