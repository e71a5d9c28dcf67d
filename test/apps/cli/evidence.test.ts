/** What counts as evidence, of which commit, and until when. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Arguments } from '../../../src/apps/cli/command.ts'
import { evidenceReport, readEvidence } from '../../../src/apps/cli/evidence/evidence-command.ts'
import {
  circumstancesOf,
  type EvidenceRecord,
  evidenceRecordOf,
  expiresAtMs,
  judges,
  whyUnfit,
} from '../../../src/apps/cli/evidence/evidence-record.ts'
import { gauntletCommand } from '../../../src/apps/cli/gauntlet/gauntlet-command.ts'
import { argumentsOf } from '../../../src/apps/cli/read-arguments.ts'
import type { ReportDocument } from '../../../src/inspect/report-document.ts'
import fc from '../../support/fast-check.ts'
import { answer, folder } from './support.ts'

const DAY_MS = 86_400_000
const nowMs = Date.parse('2026-11-25T12:00:00Z')
const wanted = { version: '0.1.0', commit: 'a'.repeat(40), changed: false, nowMs }

function record(changes: Partial<EvidenceRecord> = {}): EvidenceRecord {
  return {
    evidence: 1,
    by: 'gauntlet',
    version: wanted.version,
    commit: wanted.commit,
    changed: false,
    at: new Date(nowMs - DAY_MS).toISOString(),
    configuration: 'c'.repeat(64),
    options: [],
    subject: 'payroll',
    verdict: { mood: 'good', text: 'No findings.' },
    lead: [],
    runs: [],
    ...changes,
  }
}

function gauntletGiven(...typed: string[]): Arguments {
  const given = argumentsOf(gauntletCommand, typed)
  return { ...given, commandFor: async () => '' }
}

const judge = fc.constantFrom(...judges)
/** Two months around the day of a record. */
const age = fc.integer({ min: -2 * DAY_MS, max: 100 * DAY_MS })

it('counts for 30 days, and what was measured for 90', () => {
  fc.assert(
    fc.property(judge, age, (by, ageMs) => {
      const days = by === 'calibrate' ? 90 : 30
      const one = record({ by, at: new Date(nowMs - ageMs).toISOString() })
      expect(expiresAtMs(one) - Date.parse(one.at)).toBe(days * DAY_MS)
      expect(whyUnfit(one, wanted) === undefined).toBe(ageMs >= -DAY_MS && ageMs <= days * DAY_MS)
    }),
  )
})

it('expires as a whole with the first of its records, and never counts what has expired', () => {
  const some = fc.uniqueArray(fc.record({ by: judge, ageMs: age }), { selector: ({ by }) => by, minLength: 1 })
  fc.assert(
    fc.property(some, (ages) => {
      const all = ages.map(({ by, ageMs }) => record({ by, at: new Date(nowMs - ageMs).toISOString() }))
      const { data, verdict } = evidenceReport(
        all.map((one) => ({ file: one.by, record: one })),
        wanted,
        [],
      )
      const fit = all.filter((one) => whyUnfit(one, wanted) === undefined)
      expect(data.records.map(({ by }) => by).sort()).toEqual(fit.map(({ by }) => by).sort())
      expect(data.leftOut).toHaveLength(all.length - fit.length)
      expect(data.expiresAt).toBe(fit.length === 0 ? null : new Date(Math.min(...fit.map(expiresAtMs))).toISOString())
      expect(verdict.mood).toBe(fit.length === all.length ? 'good' : 'open')
    }),
  )
})

it.each<[Partial<EvidenceRecord>, RegExp]>([
  [{ commit: 'b'.repeat(40) }, /of commit bbbbbbbbbb, not of aaaaaaaaaa/],
  [{ commit: null }, /names no commit/],
  [{ changed: true }, /changes that the commit does not hold/],
  [{ version: '0.0.9' }, /mfano 0\.0\.9 wrote it, and this is 0\.1\.0/],
])('leaves out a record with %j', (changes, why) => {
  const { data, verdict } = evidenceReport([{ file: 'g.json', record: record(changes) }], wanted, [])
  expect([verdict.mood, data.leftOut]).toEqual(['open', [{ file: 'g.json', why: expect.stringMatching(why) }]])
  expect(whyUnfit(record({ ...changes, by: 'calibrate' }), wanted)).toBeUndefined()
})

it('says plainly what was not run, what was not judged, and what survived', () => {
  const runs: EvidenceRecord['runs'] = [
    { mood: 'good', word: 'ok', name: 'defaults' },
    { mood: 'none', word: 'skipped', name: 'error-body: flat' },
    { mood: 'open', word: 'flaky', name: 'list-order: newest-first' },
  ]
  const matrix = record({ by: 'matrix', runs, verdict: { mood: 'open', text: 'Not judged to the end.' } })
  const report = evidenceReport(
    [
      { file: 'm', record: matrix },
      { file: 'g', record: record() },
    ],
    wanted,
    ['explore'],
  )
  const text = JSON.stringify(report.sections.find(({ title }) => title === 'Not shown'))
  for (const part of ['1 skipped: error-body: flat', '1 flaky: list-order', 'explore: not run', 'calibrate: not run'])
    expect(text).toContain(part)
  expect(report.verdict).toEqual({ mood: 'open', text: 'Needed, and not there: explore.' })
  const red = record({ by: 'mutants', verdict: { mood: 'bad', text: '50% of 8 mutants killed.' } })
  expect(evidenceReport([{ file: 'm', record: red }], wanted, []).verdict).toEqual({
    mood: 'bad',
    text: 'Not ready: mutants.',
  })
})

it('keeps of a command line the name of its program', () => {
  const command = ['API_KEY=abc', '/usr/bin/psql', 'postgres://u:pw@db/x', '-p', 'pw']
  const line = command.join(' ')
  const { configuration, ...under } = record()
  const report: ReportDocument = {
    ...{ by: 'mfano matrix', title: line, data: {}, sections: [] },
    verdict: { mood: 'good', text: `${line} is green.` },
    lead: [`Repeat one: mfano matrix --env 'URL=a b' --env KEY=abc -- ${command.map((word) => `'${word}'`).join(' ')}`],
    runs: [{ mood: 'good', word: 'ok', name: line }],
  }
  const kept = evidenceRecordOf('matrix', report, { ...under, configuration }, command)
  expect(kept).toMatchObject({
    subject: 'psql …',
    verdict: { text: 'psql … is green.' },
    lead: ['Repeat one: mfano matrix --env URL=*** --env KEY=*** -- psql …'],
    runs: [{ name: 'psql …' }],
  })
})

it('takes the folder of the merchant file for the app, with every file that git does not ignore', () => {
  const cwd = folder({ 'merchant.yaml': 'name: shop', '.gitignore': '*.log' })
  const git = (...typed: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@mfano.example', ...typed], { cwd })
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'As it is')
  const file = join(cwd, 'merchant.yaml')
  const changed = () => circumstancesOf(gauntletGiven(file, '--evidence', join(cwd, 'evidence')), 'gauntlet').changed
  const { commit } = circumstancesOf(gauntletGiven(file), 'gauntlet')
  expect(commit).toBe(git('rev-parse', 'HEAD').toString().trim())

  writeFileSync(join(cwd, 'app.log'), 'Ignored.')
  mkdirSync(join(cwd, 'evidence'))
  writeFileSync(join(cwd, 'evidence/gauntlet.json'), '{}')
  expect(changed()).toBe(false)
  writeFileSync(join(cwd, 'app.mjs'), '// In no commit.')
  expect(changed()).toBe(true)
})

it('digests every option and keeps no value of a variable', () => {
  const scenarios = folder({ 'mine.yaml': 'name: mine' })
  const options = [
    ['--books', 'http://u:pw@127.0.0.1:1/books'],
    ['--env', 'KEY=abc def'],
    ['--rest-within', '7'],
    ['--ready-within', '7'],
    ['--jobs', '3'],
    ['--write-baseline', 'known.json'],
    ['--scenarios', scenarios],
    ['--full'],
  ]
  const of = (typed: readonly string[]) => circumstancesOf(gauntletGiven('merchant.yaml', ...typed), 'gauntlet')
  const digests = [[], ...options].map((typed) => of(typed).configuration)
  writeFileSync(join(scenarios, 'mine.yaml'), 'name: mine, changed')
  digests.push(of(['--scenarios', scenarios]).configuration)
  expect(new Set(digests).size).toBe(options.length + 2)
  expect(of(options.flat()).options).toEqual(expect.arrayContaining(['--env KEY=***', '--jobs 3', '--full']))
  expect(of(options.flat()).options.join(' ')).not.toMatch(/\b(?:abc|def|pw)\b/)
  expect(of(['--html', 'a.html']).configuration).toBe(digests[0])
})

it('notes a report that names no commit, and reads of a calibration no more than its verdicts', async () => {
  const host = 'sandbox.provider.example'
  const id = '7d3c1b7e-0b0e-4e57-9f5e-2a55c6a1d001'
  const evidence = [{ asked: `GET https://${host}/${id}`, sent: '', status: 200, answered: `{"id":"${id}"}` }]
  const asked = { question: '?', excluded: [], tier: 'free', evidence, on: '2026-11-25' }
  const calibration = {
    baseUrl: `https://${host}`,
    startedAt: new Date().toISOString(),
    requests: 3,
    payments: 0,
    accepted: 0,
    answers: [
      { ...asked, assumption: 'error-body', verdict: 'holds', alternative: 'flat', why: null },
      { ...asked, assumption: 'list-order', verdict: 'untold', alternative: null, why: `it answered ${id}` },
    ],
    stopped: null,
  }
  const from = folder({
    'measured.json': JSON.stringify(calibration),
    'old.json': JSON.stringify({ merchant: 'payroll', findings: [] }),
  })
  const out = join(folder(), 'evidence')
  const { code, out: said } = await answer(['evidence', from, '--out', out])
  expect(code).toBe(2)
  expect(said).toContain('old.json: it names no commit and no date. Run the judge again with --evidence FOLDER.')
  const written = readdirSync(out).map((name) => readFileSync(join(out, name), 'utf8'))
  expect(readdirSync(out).sort()).toEqual(['calibrate.json', 'evidence.json', 'index.html'])
  for (const text of written) expect(text).not.toMatch(new RegExp(`${host}|${id}`))
  expect(written.join('\n')).toContain('1 could not be told: list-order')
})

it('counts the receipt of a proof for its commit, and for no other', async () => {
  const { commit, version } = wanted
  const receipt = {
    ...{ receipt: 1, verdict: 'proved', merchant: 'payroll', version, at: record().at, seed: 1 },
    now: { commit, changed: false, digest: 'd'.repeat(64) },
    schedules: [{ code: 'paid_twice', name: 'answer send-money 1 lost', before: 'red', now: 'green' }],
  }
  const files = folder({
    'receipt.json': JSON.stringify(receipt),
    'refused.json': JSON.stringify({ ...receipt, verdict: 'refused' }),
  })
  const { data, sections } = evidenceReport(readEvidence([files]), wanted, ['prove'])
  expect(data.records).toMatchObject([{ by: 'prove', commit, verdict: { mood: 'good', text: 'Proved: paid_twice.' } }])
  expect(data.leftOut).toMatchObject([{ file: join(files, 'refused.json') }])
  expect(JSON.stringify(sections)).toContain('Proved: paid_twice.')
  const later = evidenceReport(readEvidence([files]), { ...wanted, commit: 'b'.repeat(40) }, [])
  expect(later.data.records).toEqual([])
})

it('cannot tell of a folder without evidence', async () => {
  const there = folder()
  expect(await answer(['evidence', '--check', there])).toMatchObject({
    code: 2,
    errors: expect.stringContaining('mfano evidence'),
  })
  writeFileSync(join(there, 'evidence.json'), '{}')
  expect(await answer(['evidence', '--check', there])).toMatchObject({
    code: 2,
    errors: expect.stringContaining('cannot be read as evidence'),
  })
})
