/** Searching for the schedule that makes an app's books wrong: what is found, how small it is, and what is not found. */
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { answer, folder } from '../commands/support.ts'

const merchants = join(import.meta.dirname, '../merchants')
/** Many runs of an app, on a machine that may be busy. */
const LONG_MS = 600_000

interface Told {
  code: number
  findings: {
    code: string
    choices: object[]
    story: string[]
    sequence: string
    schedule?: string
    scenario?: string
  }[]
  unstable: object[]
  schedules: { run: number; distinct: number; behaviours: number }
}

/** So many schedules from a seed: never by time, so that every machine sees the same. */
async function explore(file: string, ...more: string[]): Promise<Told> {
  const { code, out, errors } = await answer(['explore', file, '--json', '--within', '1d', ...more])
  expect(errors).toBe('')
  return { code, ...JSON.parse(out) }
}

/** A copy of the plain merchant with a mistake in it: each text is there once, and becomes another. */
function withMistake(...changes: [from: string, to: string][]): string {
  const copy = folder()
  cpSync(join(merchants, 'plain'), copy, { recursive: true })
  let text = readFileSync(join(copy, 'payroll.py'), 'utf8')
  for (const [from, to] of changes) {
    expect(text.split(from)).toHaveLength(2)
    text = text.replace(from, to)
  }
  writeFileSync(join(copy, 'payroll.py'), text)
  return join(copy, 'merchant.yaml')
}

const paysAgain = () =>
  withMistake([
    'if look(line) == "absent" and now - line["asked"] >= SURELY_LOST_S:',
    'line["reference"] += "x"\n            if True:',
  ])

describe('a careful merchant', () => {
  it(
    'is not blamed for anything',
    async () => {
      const found = await explore(join(merchants, 'plain/merchant.yaml'), '--schedules', '40')
      expect(found).toMatchObject({ code: 0, findings: [], unstable: [] })
      expect(found.schedules.distinct).toBeGreaterThan(30)
    },
    LONG_MS,
  )
})

describe('a merchant that asks again under a new reference', () => {
  it(
    'is found out by one choice, in files that show it again',
    async () => {
      const file = paysAgain()
      const out = join(file, '../found')
      const found = await explore(file, '--schedules', '8', '--out', out)
      expect(found.code).toBe(1)
      expect(found.findings.map(({ code }) => code)).toContain('paid_twice')
      for (const { choices, story, sequence } of found.findings) {
        expect(choices).toHaveLength(1)
        expect(story).toHaveLength(1)
        expect(sequence).toMatch(/^sequenceDiagram\n/)
      }
      expect(readdirSync(out)).toHaveLength(3 * found.findings.length)
      const again = await explore(file, '--replay', out, '--only-replay')
      expect(again.code).toBe(1)
      expect(new Set(again.findings.map(({ code }) => code))).toEqual(new Set(found.findings.map(({ code }) => code)))
      // What is mended stays mended: the same schedules, and nothing is found.
      const mended = await explore(join(merchants, 'plain/merchant.yaml'), '--replay', out, '--only-replay')
      expect(mended).toMatchObject({ code: 0, findings: [] })
    },
    LONG_MS,
  )

  it(
    'is found out by the scenario alone, in the gauntlet',
    async () => {
      const file = paysAgain()
      const out = join(file, '../found')
      const found = await explore(file, '--schedules', '8', '--out', out)
      const { scenario = '' } = found.findings.find(({ code }) => code === 'paid_twice') ?? {}
      expect(existsSync(scenario)).toBe(true)
      const { code, out: printed } = await answer(['gauntlet', file, '--json', '--scenario', scenario])
      expect(code).toBe(1)
      expect(JSON.parse(printed).findings.map((one: { code: string }) => one.code)).toContain('paid_twice')
    },
    LONG_MS,
  )
})
