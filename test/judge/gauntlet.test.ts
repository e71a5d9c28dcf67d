/** An app under many scenarios: what is found in careful apps, and in those with a planted mistake. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { GauntletReport } from '../../src/judge/report.ts'
import { answer, folder } from '../commands/support.ts'

const merchants = join(import.meta.dirname, '../merchants')
/** Apps and worlds beside each other, on a machine that may be busy. */
const LONG_MS = 240_000

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

/** A copy of a merchant with a mistake in it: each text is there once, and becomes another. */
function withMistake(name: string, file: string, ...changes: [from: string, to: string][]): string {
  const copy = folder()
  cpSync(join(merchants, name), copy, { recursive: true })
  let text = readFileSync(join(copy, file), 'utf8')
  for (const [from, to] of changes) {
    expect(text.split(from)).toHaveLength(2)
    text = text.replace(from, to)
  }
  writeFileSync(join(copy, file), text)
  return join(copy, 'merchant.yaml')
}

const codesOf = ({ findings }: Judged) => [...new Set(findings.map(({ code }) => code))].sort()

describe('a merchant in plain Python, without any kit', () => {
  const file = join(merchants, 'plain/merchant.yaml')

  it(
    'passes, and what cannot matter to it is skipped with the reason',
    async () => {
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
    },
    LONG_MS,
  )

  it(
    'is found out when it asks again under a new reference, as a story',
    async () => {
      const mistaken = withMistake('plain', 'payroll.py', [
        'if look(line) == "absent" and now - line["asked"] >= SURELY_LOST_S:',
        'line["reference"] += "x"\n            if True:',
      ])
      const report = await gauntlet(mistaken, ...under('executed-but-503', 'late-reversal'))
      expect(report.code).toBe(1)
      const [finding] = report.findings
      expect(finding).toMatchObject({ code: 'paid_twice', scenario: 'executed-but-503' })
      expect(finding?.text).toMatch(/1000\.0 KES/)
      expect(finding?.requests.join('\n')).toMatch(/POST \/api\/sandbox\/v1\/send-money → 503/)
      expect(finding?.advice).not.toBe('')
      expect(report.scenarios.find(({ scenario }) => scenario === 'late-reversal')?.verdict).toBe('clean')
    },
    LONG_MS,
  )

  it(
    'is found out when it takes an accepted payout for a paid one',
    async () => {
      const mistaken = withMistake(
        'plain',
        'payroll.py',
        ['line.update(state="PENDING", requestId', 'line.update(state="SUCCESS", requestId'],
        ['elif line["state"] != "REFUSED":', 'elif line["state"] == "PENDING":'],
      )
      const report = await gauntlet(mistaken, ...under('late-reversal'))
      expect(codesOf(report)).toEqual(['taken_back'])
    },
    LONG_MS,
  )
})

it.each([
  ['TypeScript', 'typescript', ['executed-but-503', 'stk-failed-then-paid']],
  ['Python', 'python', ['executed-but-503', 'late-reversal']],
])(
  'finds nothing in the merchant in %s',
  async (_, name, scenarios) => {
    const report = await gauntlet(join(merchants, name, 'merchant.yaml'), ...under(...scenarios))
    expect(report).toMatchObject({ code: 0, findings: [] })
  },
  LONG_MS,
)
