/**
 * Twenty incidents by twenty bugs of the corpus, under drawn schedules, with gaps that a seed draws: how many come again
 * from their files. `INCIDENTS=name,name` tries only these.
 */
import { expect, it, vi } from 'vitest'
import type { Choice } from '../../../src/judge/explore/choice.ts'
import { Schedules } from '../../../src/judge/explore/schedules.ts'
import { answer } from '../../apps/cli/support.ts'
import { type Case, cases } from '../../corpus/cases.ts'
import { canRun, merchantFile } from '../../corpus/judge-case.ts'
import { dayOrNight } from '../../support/night.ts'
import { drawnGaps, type Gaps, type Incident, recorder, written } from './incidents.ts'

vi.setConfig({ testTimeout: 900_000 })
const SCHEDULES = 60
const WANTED = dayOrNight(2, 20)
/** A bug that shows on an ordinary day has no incident. */
const ORDINARY = ['cents-cut-off', 'hundredfold', 'one-cent-less', 'page-reload-charges-again']

const named = process.env['INCIDENTS']?.split(',')
const all = cases
  .filter((one) => canRun(one) && !ORDINARY.includes(one.name))
  .map((one, i) => ({ ...one, seed: i + 1 }))
const chosen = named ? all.filter(({ name }) => named.includes(name)) : all.slice(0, WANTED)

const counts = { incidents: 0, red: 0, green: 0, falselyRed: 0, withoutList: 0, withoutBooks: 0, withoutEither: 0 }
const took: number[] = []
const missed: string[] = []

async function inEdition<T>(isMended: boolean, work: () => Promise<T>): Promise<T> {
  vi.stubEnv('MENDED', isMended ? '1' : '0')
  try {
    return await work()
  } finally {
    vi.unstubAllEnvs()
  }
}

/** The first drawn schedule under which the bug shows. */
async function drawn(one: Case, seed: number): Promise<{ incident: Incident; choices: readonly Choice[] } | undefined> {
  const { run, merchant } = await recorder(merchantFile(one))
  const base = await run([])
  const schedules = new Schedules(base.ran, merchant, seed)
  for (let i = 0; i < SCHEDULES; i++) {
    const choices = schedules.next()
    if (!choices) return undefined
    const incident = await run(choices, base.ran)
    if (incident.ran.findings.some(({ code }) => one.shows.includes(code))) return { incident, choices }
  }
  return undefined
}

async function codesOf(one: Case, words: readonly string[], isMended = false): Promise<string[]> {
  const { code, out, errors } = await inEdition(isMended, () =>
    answer(['reproduce', ...words, '--app', merchantFile(one), '--json']),
  )
  if (errors !== '') throw new Error(errors)
  const { findings, unstable } = JSON.parse(out)
  return code === 1 ? [...findings, ...unstable].map((found: { code: string }) => found.code) : []
}

it.each(chosen)('tells what becomes of $name', async (one) => {
  const found = await inEdition(false, () => drawn(one, one.seed))
  if (!found) return void missed.push(`${one.name}: no schedule shows it`)
  const { incident, choices } = found
  const gaps = drawnGaps(one.seed)
  const shown = incident.ran.findings.map(({ code }) => code)
  const isAgain = async (more: Gaps) => {
    const { words, details } = written(incident, { ...gaps, ...more }, one.seed)
    expect(details.length).toBeGreaterThan(0)
    const codes = await codesOf(one, words)
    return codes.some((code) => shown.includes(code))
  }
  counts.incidents++
  const beganMs = performance.now()
  if (await isAgain({})) counts.red++
  else missed.push(`${one.name}: ${JSON.stringify({ gaps, choices, shown })}`)
  took.push((performance.now() - beganMs) / 1000)
  const { words } = written(incident, gaps, one.seed)
  if ((await codesOf(one, words, true)).length === 0) counts.green++
  if (await isAgain({ noList: true })) counts.withoutList++
  if (await isAgain({ noBooks: true })) counts.withoutBooks++
  if (await isAgain({ noList: true, noBooks: true })) counts.withoutEither++
  const mended = await inEdition(true, async () => {
    const { run } = await recorder(merchantFile(one))
    return run(choices, (await run([])).ran)
  })
  const none = written(mended, gaps, one.seed)
  if ((await codesOf(one, none.words, true)).length > 0) counts.falselyRed++
  console.log(one.name, JSON.stringify(counts), missed.at(-1) ?? '')
})

it('brings most of them back, and none by a mended edition', () => {
  const medianSeconds = took.toSorted((a, b) => a - b)[Math.floor(took.length / 2)]
  console.log(JSON.stringify({ ...counts, medianSeconds }), missed.join('\n'))
  expect(counts).toMatchObject({ green: counts.incidents, falselyRed: 0 })
  expect(counts.red).toBeGreaterThanOrEqual(Math.ceil(chosen.length * 0.8))
  expect(medianSeconds).toBeLessThan(60)
})
