/** A finding comes again each time that its schedule is run. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readMerchantFile } from '../../../src/judge/app/merchant-file.ts'
import type { Choice } from '../../../src/judge/explore/choice.ts'
import { ScheduleRunner } from '../../../src/judge/explore/schedule-runner.ts'
import { folder } from '../../apps/cli/support.ts'
import { dayOrNight } from '../../support/night.ts'

const REPEATS = dayOrNight(4, 100)
const LONG_MS = 300_000 + REPEATS * 20_000
const JOBS = 4

/** A mistake, its code, and the schedule that shows it: by a callback, by a lost answer, by a crash, by a race. */
const findings: [app: string, bug: string, code: string, choices: Choice[]][] = [
  ['planted', 'credits-each-callback', 'booked_twice', [{ do: 'tell', kind: 'stk', nth: 1, as: 'twice' } as Choice]],
  ['planted', '5xx-is-failed', 'stale', [{ do: 'answer', kind: 'send-money', nth: 1, as: '500' } as Choice]],
  [
    'planted',
    'pays-before-it-writes',
    'paid_unknown',
    [{ do: 'crash', at: 'executed', on: 'createSendMoney', nth: 1 }],
  ],
  [
    'kibarua',
    'web-recovers',
    'stale',
    [{ do: 'crash-process', process: 'worker', at: 'executed', on: 'createSendMoney', nth: 1 }],
  ],
]

function edition(app: string, bug: string): string {
  const copy = folder()
  const from = app === 'planted' ? join(import.meta.dirname, app) : join(import.meta.dirname, '../../merchants', app)
  cpSync(from, copy, { recursive: true })
  const file = join(copy, 'merchant.yaml')
  const text = readFileSync(file, 'utf8').replaceAll('command: node', `command: ${process.execPath}`)
  writeFileSync(file, text.replace(/^( {2}env:\n)/m, `$1    BUG: "${bug}"\n`))
  return file
}

it.for(findings)('comes each time: %s %s', { timeout: LONG_MS }, async ([app, bug, code, choices]) => {
  const runner = await ScheduleRunner.open({
    merchant: readMerchantFile(edition(app, bug)),
    ...{ seed: 1, jobs: JOBS, readyWithinMs: 60_000, restWithinMs: 20_000, signal: new AbortController().signal },
  })
  try {
    let begun = 0
    let shown = 0
    const work = async () => {
      while (begun++ < REPEATS) {
        const ran = await runner.run(choices)
        if (ran.findings.some((one) => one.code === code)) shown++
      }
    }
    await Promise.all(Array.from({ length: JOBS }, work))
    expect(shown).toBe(REPEATS)
  } finally {
    await runner.close()
  }
})
