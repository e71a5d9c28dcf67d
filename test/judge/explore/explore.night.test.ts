/** Searching for the schedule that makes an app's books wrong: what is found, how small it is, and what is not found. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { readMerchantFile } from '../../../src/judge/app/merchant-file.ts'
import type { Choice } from '../../../src/judge/explore/choice.ts'
import { writeFinding } from '../../../src/judge/explore/explore-document.ts'
import { runExplorer as search } from '../../../src/judge/explore/explorer.ts'
import { SubjectRunner } from '../../../src/judge/explore/subject-runs.ts'
import { answer, folder } from '../../apps/cli/support.ts'
import { entry } from '../../support/program-entry.ts'
import { edition, plainWith } from '../editions.ts'

const merchants = join(import.meta.dirname, '../../merchants')
/** Many runs of an app, on a machine that may be busy. */
const LONG_MS = 600_000
vi.setConfig({ testTimeout: LONG_MS })

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
})

interface Told {
  code: number
  findings: {
    code: string
    choices: object[]
    story: string[]
    sequence: object[]
    schedule?: string
    scenarioFile?: string
    capsule?: string
  }[]
  unstable: object[]
  replayed: { name: string; code: string; verdict: string }[]
  resetUnused?: string
  schedules: { run: number; distinct: number; behaviours: number }
}

/** So many schedules from a seed: never by time, so that every machine sees the same. */
async function explore(file: string, ...more: string[]): Promise<Told> {
  const { code, out, errors } = await answer(['explore', file, '--json', '--within', '1d', ...more])
  expect(errors).toBe('')
  return { code, ...JSON.parse(out) }
}

const paysAgain = () =>
  plainWith([
    'if look(line) == "absent" and now - line["asked"] >= SURELY_LOST_S:',
    'line["reference"] += "x"\n            if True:',
  ])

it('lets an app hear of a payment before its answer that takes no callback until it has the answer', async () => {
  const file = plainWith(['PATIENCE_S = 10', 'PATIENCE_S = 120'])
  const early = ['1', '2'].map((nth) => ({ do: 'tell', kind: 'send-money', nth: Number(nth), as: 'early' }))
  const schedules = folder({ 'early.schedule.json': JSON.stringify({ code: 'never_quiet', choices: early }) })
  const found = await explore(file, '--replay', schedules, '--only-replay')
  expect(found).toMatchObject({ code: 0, findings: [], unstable: [], schedules: { run: 2 } })
})

/** The shop with one of its mistakes. */
const shop = (bug: string) => edition('duka', bug)

it('finds out an app that does two things at once to one book', async () => {
  const file = plainWith([
    '            with lock:\n                POSTS[self.path](body)',
    '            POSTS[self.path](body)',
  ])
  const beside = { do: 'beside', step: 1, act: 'pay' }
  const known = folder({ 'once.schedule.json': JSON.stringify({ code: 'paid_unknown', choices: [beside] }) })
  expect((await explore(file, '--replay', known, '--only-replay')).findings).toMatchObject([
    { code: 'paid_unknown', story: [expect.stringMatching(/at the same time/)] },
  ])
  const [found] = (await explore(file, '--schedules', '40', '--findings', '1')).findings
  expect(found?.story).toContainEqual(expect.stringMatching(/at the same time/))
})

it('keeps a capsule that repeats the run, its crash included', async () => {
  const file = shop('restart-repeats')
  const out = join(file, '../found')
  const found = await explore(file, '--schedules', '80', '--findings', '1', '--out', out)
  const { capsule = '', choices = [], story = [] } = found.findings[0] ?? {}
  expect(choices.length).toBeLessThanOrEqual(4)
  expect(story.join()).toMatch(/the app dies/)
  expect(JSON.parse((await answer(['replay', capsule, '--json'])).out)).toMatchObject({ identical: true })
})

it('finds the same again each time', async () => {
  const file = shop('5xx-is-failed')
  const out = join(file, '../found')
  const found = (await explore(file, '--schedules', '40', '--findings', '12', '--out', out)).findings
  // Its own bug, and what becomes of a payment that a trusting app takes for ended.
  expect(found.map(({ story }) => story.join())).toContainEqual(expect.stringMatching(/all the same|reset|closes/))
  for (const { choices } of found) expect(choices.length).toBeLessThanOrEqual(4)
  const { findings } = await explore(file, '--replay', out, '--only-replay', '--findings', '12', '--jobs', '2')
  const parts = (all: typeof found) => all.map(({ code, choices }) => JSON.stringify({ code, choices })).sort()
  expect(parts(findings)).toEqual(parts(found))
})

it('calls an app that never comes to rest by its code', async () => {
  const file = shop('')
  const program = join(file, '../duka.mjs')
  const text = readFileSync(program, 'utf8')
  // What it asked for is asked for again, for ever.
  const restless = "const more = () => call('GET', '/openapi.json').catch(() => {}).then(more)\nmore()\n"
  writeFileSync(program, text.replace('/** What comes round. */', `${restless}$&`))
  // By the search itself, which can be told to lose its patience soon.
  const found = await search({
    ...{ merchant: readMerchantFile(file), seed: 1, jobs: 2, schedules: 2, withinMs: LONG_MS, findingsMax: 1 },
    ...{ replay: [], capsules: undefined, onlyReplay: false, readyWithinMs: 60_000, restWithinMs: 1_000 },
    signal: new AbortController().signal,
  })
  expect(found).toMatchObject({ findings: [{ code: 'never_quiet', choices: [] }], unstable: [] })
})

it('lets an app ask as often as it likes while time goes on', async () => {
  const file = shop('')
  const program = join(file, '../duka.mjs')
  const text = readFileSync(program, 'utf8')
  // Each round by itself asks far less than an app that never rests; all rounds together ask more.
  const polls = "for (let i = 0; i < 400; i++) await call('GET', '/api/v1/rates').catch(() => {})\n  await list()"
  writeFileSync(program, text.replace('await list()\n', `${polls}\n`))
  const found = await explore(file, '--schedules', '1')
  expect(found).toMatchObject({ code: 0, findings: [], unstable: [], schedules: { run: 1 } })
})

it('finds nothing in the shop without a mistake', async () => {
  const found = await explore(shop(''), '--schedules', '12')
  expect(found).toMatchObject({ code: 0, findings: [], unstable: [] })
  expect(found).not.toHaveProperty('resetUnused')
  expect(found.schedules.distinct).toBeGreaterThan(6)
})

it('starts an app for every schedule whose reset does not make it as new', async () => {
  const careless = plainWith(['    save([])\n', ''])
  const found = await explore(careless, '--schedules', '3')
  expect(found).toMatchObject({ code: 0, findings: [], unstable: [] })
  expect(found.resetUnused).toBe('after POST /reset the ordinary day goes otherwise than after a start')
  const missing = readFileSync(careless, 'utf8').replace('post: /reset', 'post: /rest')
  writeFileSync(careless, missing)
  expect((await explore(careless, '--schedules', '3')).resetUnused).toBe('POST /rest was not answered 2xx')
})

it('is interrupted with what was found so far, and writes it', async () => {
  const file = paysAgain()
  const typed = [entry, 'explore', file, '--within', '1d', '--out', 'found']
  const child = spawn(process.execPath, typed, { cwd: join(file, '..'), stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    if (!out.includes('paid_twice') && text.includes('paid_twice')) child.kill('SIGINT')
    out += text
  }
  if (child.exitCode === null) await once(child, 'exit')
  expect(child.exitCode).toBe(1)
  expect(out).toMatch(/It was interrupted: this is what was found so far/)
  // Behind it may be what was seen, and not shrunk yet.
  expect(readdirSync(join(file, '../found')).join('\n')).toMatch(/^01-paid-twice-.*\.schedule\.json$/m)
})

it('tells and writes what it saw when it is interrupted before it could shrink it', async () => {
  const interruption = new AbortController()
  const program = paysAgain()
  const out = join(program, '../found')
  const choices: Choice[] = [
    { do: 'answer', kind: 'send-money', nth: 1, as: 'lost' },
    { do: 'tell', kind: 'send-money', nth: 2, as: 'late' },
  ]
  const merchant = readMerchantFile(program)
  const run = SubjectRunner.prototype.run
  vi.spyOn(SubjectRunner.prototype, 'run').mockImplementation(async function (this: SubjectRunner, ...given) {
    const ran = await run.apply(this, given)
    if (ran.findings.length > 0) interruption.abort()
    return ran
  })
  const explored = await search({
    ...{ merchant, seed: 1, jobs: 2, schedules: 100, withinMs: LONG_MS, findingsMax: 1 },
    ...{ replay: [{ name: 'known', code: 'paid_twice', choices }], capsules: undefined, onlyReplay: true },
    ...{ readyWithinMs: 60_000, restWithinMs: 20_000, signal: interruption.signal },
  })
  expect(explored).toMatchObject({ findings: [], interrupted: true, replayed: [] })
  expect(explored.unconfirmed.map(({ code }) => code)).toContain('paid_twice')
  const [seen] = explored.unconfirmed
  if (seen) writeFinding(out, 1, seen)
  expect(readdirSync(out)).toHaveLength(2)
})

describe('a merchant that asks again under a new reference', () => {
  it('is found out by one choice, in files that show it again, and by the scenario of it alone', async () => {
    const file = paysAgain()
    const out = join(file, '../found')
    const found = await explore(file, '--schedules', '8', '--findings', '1', '--out', out)
    expect(found.code).toBe(1)
    expect(found.findings.map(({ code }) => code)).toContain('paid_twice')
    for (const { choices, story, sequence } of found.findings) {
      expect(choices).toHaveLength(1)
      expect(story).toHaveLength(1)
      expect(sequence.length).toBeGreaterThan(1)
    }
    expect(
      readdirSync(out)
        .filter((name) => name.startsWith('01-'))
        .map((name) => name.replace(/^01-paid-twice-answer-send-money-1-\w+/, '')),
    ).toEqual(['.capsule', '.schedule.json', '.yaml'])
    expect(readdirSync(out)).toHaveLength(3 * found.findings.length)
    // What is told while it searches names no file that is renamed at the end.
    const words = ['explore', file, '--schedules', '8', '--findings', '1', '--within', '1d', '--out', join(out, 'told')]
    const capsules = Array.from((await answer(words)).out.matchAll(/mfano replay (\S+)/g), ([, name = '']) => name)
    expect(capsules.filter((name) => !existsSync(name))).toEqual([])
    const again = await explore(file, '--replay', out, '--only-replay')
    expect(again.code).toBe(1)
    const known = ({ findings }: Told) => findings.map(({ code, choices }) => ({ code, choices }))
    expect(known(again)).toEqual(known(found))
    // What is mended stays mended: the same schedules, and nothing is found.
    const mended = await explore(join(merchants, 'plain/merchant.yaml'), '--replay', out, '--only-replay')
    expect(mended).toMatchObject({ code: 0, findings: [] })
    const names = readdirSync(out).filter((name) => name.endsWith('.schedule.json'))
    expect(again.replayed.map(({ name, verdict }) => `${name} ${verdict}`)).toEqual(names.map((name) => `${name} back`))
    expect(mended.replayed.map(({ name, verdict }) => `${name} ${verdict}`)).toEqual(
      names.map((name) => `${name} gone`),
    )
    const { scenarioFile = '' } = found.findings.find(({ code }) => code === 'paid_twice') ?? {}
    const judged = await answer(['gauntlet', file, '--json', '--scenario', scenarioFile])
    expect(judged.code).toBe(1)
    expect(JSON.parse(judged.out).findings.map((one: { code: string }) => one.code)).toContain('paid_twice')
  })
})
