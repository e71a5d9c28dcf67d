/** Careful apps are accused of nothing, and their `reset` is trusted: the example merchants, and the mended editions of the corpus. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { readMerchantFile } from '../../../src/judge/app/merchant-file.ts'
import { runExplorer } from '../../../src/judge/explore/explorer.ts'
import { storyOf } from '../../../src/judge/explore/tell.ts'
import { cases } from '../../corpus/cases.ts'
import { canRun, merchantFile } from '../../corpus/judge-case.ts'
import { dayOrNight } from '../../support/night.ts'

/** Schedules of each; a day of an app with timers of its own takes many times as long. */
const SCHEDULES = dayOrNight(4, 50)
const FOLLOWING = dayOrNight(1, 5)
const LONG_MS = 60_000 + SCHEDULES * 30_000

const merchants = join(import.meta.dirname, '../../merchants')
const careful = [
  ...readdirSync(merchants, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('merchant.yaml'))
    .map((file) => ({ name: file, file: join(merchants, file) })),
  ...cases
    .filter((one, i) => canRun(one) && dayOrNight(i % 6 === 0, true))
    .map((one) => ({ name: `${one.name}, mended`, file: merchantFile(one) })),
]

it.for(careful.map((one, i) => ({ ...one, seed: 1 + i })))(
  'accuses $name of nothing',
  { timeout: LONG_MS },
  async ({ file, seed }) => {
    vi.stubEnv('MENDED', '1')
    onTestFinished(() => void vi.unstubAllEnvs())
    const merchant = readMerchantFile(file)
    const { findings, unstable, unjudged, resetUnused, schedules } = await runExplorer({
      ...{ merchant, seed, schedules: merchant.follows ? FOLLOWING : SCHEDULES, jobs: 4 },
      ...{ withinMs: LONG_MS, findingsMax: 3, replay: [], readyWithinMs: 60_000, restWithinMs: 20_000 },
      signal: new AbortController().signal,
    })
    const told = [...findings, ...unstable].map(({ code, text, choices }) => ({ code, text, story: storyOf(choices) }))
    expect({ told, unjudged, resetUnused }).toEqual({ told: [], unjudged: undefined, resetUnused: undefined })
    expect(schedules.run).toBeGreaterThan(0)
  },
)
