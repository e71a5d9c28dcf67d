/** What counts as evidence, of which commit, and until when. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Arguments, TopCommand } from '../../../src/apps/cli/command.ts'
import { calibrateCommand } from '../../../src/apps/cli/judges/calibrate-command.ts'
import { evidenceReport, readEvidence } from '../../../src/apps/cli/judges/evidence-command.ts'
import {
  type EvidenceRecord,
  evidenceRecordOf,
  expiresAtMs,
  judges,
  whyUnfit,
} from '../../../src/apps/cli/judges/evidence-record.ts'
import { gauntletCommand } from '../../../src/apps/cli/judges/gauntlet-command.ts'
import { matrixCommand } from '../../../src/apps/cli/judges/matrix-command.ts'
import { argumentsOf } from '../../../src/apps/cli/read-arguments.ts'
import type { ReportDocument } from '../../../src/inspect/report-document.ts'
import { calibrationDocument } from '../../../src/judge/calibrate.ts'
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
    options: [],
    subject: 'payroll',
    verdict: { mood: 'good', text: 'No findings.' },
    runs: [],
    ...changes,
  }
}

/** `suite`: words behind `--`. */
function argumentsFor(command: TopCommand, typed: string[], suite: string[] = []): Arguments {
  return { ...argumentsOf(command, typed, suite), commandFor: async () => '' }
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

const judged: ReportDocument = {
  ...{ by: 'mfano gauntlet', title: 'payroll', data: {}, sections: [], lead: ['It said abc.'] },
  verdict: { mood: 'good', text: 'No findings.' },
  runs: [{ mood: 'good', word: 'ok', name: 'default', why: 'It said abc.' }],
}

it('keeps names of options and of the program, and no value', () => {
  const command = ['API_KEY=abc', '/usr/bin/psql', 'postgres://u:pw@db/x', '-p', 'pw']
  const options = ['--env', 'KEY=abc def', '--scenario', './abc.yaml', '--alone', '--html', 'abc.html']
  const kept = evidenceRecordOf('matrix', judged, argumentsFor(matrixCommand, options, command))
  expect(kept).toMatchObject({ subject: 'psql …', options: ['--alone', '--env', '--scenario'] })
  expect(JSON.stringify(kept)).not.toMatch(/\b(?:abc|def|pw)\b/)
  const line = evidenceRecordOf('matrix', judged, argumentsFor(matrixCommand, [], ['KEY="abc def" node suite.mjs pw']))
  expect(line.subject).toBe('node …')
})

it('takes the folder of the merchant file for the app, with every file that git does not ignore', () => {
  const cwd = folder({ 'merchant.yaml': 'name: shop', '.gitignore': '*.log' })
  const git = (...typed: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@mfano.example', ...typed], { cwd })
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'As it is')
  const file = join(cwd, 'merchant.yaml')
  const kept = (...typed: string[]) =>
    evidenceRecordOf('gauntlet', judged, argumentsFor(gauntletCommand, [file, ...typed]))
  const changed = () => kept('--evidence', join(cwd, 'evidence')).changed
  const { commit } = kept()
  expect(commit).toBe(git('rev-parse', 'HEAD').toString().trim())

  writeFileSync(join(cwd, 'app.log'), 'Ignored.')
  mkdirSync(join(cwd, 'evidence'))
  writeFileSync(join(cwd, 'evidence/gauntlet.json'), '{}')
  expect(changed()).toBe(false)
  writeFileSync(join(cwd, 'app.mjs'), '// In no commit.')
  expect(changed()).toBe(true)
})

it('notes a report that names no commit', async () => {
  const from = folder({
    'calibrate.json': JSON.stringify(record({ by: 'calibrate', at: new Date().toISOString() })),
    'old.json': JSON.stringify({ merchant: 'payroll', findings: [] }),
  })
  const out = join(folder(), 'evidence')
  const { code, out: said } = await answer(['evidence', from, '--out', out])
  expect(code).toBe(2)
  expect(said).toContain('old.json: it names no commit and no date. Run the judge again with --evidence FOLDER.')
  expect(readdirSync(out).sort()).toEqual(['calibrate.json', 'evidence.json', 'index.html'])
})

it('keeps of a calibration no more than its verdicts', () => {
  const host = 'sandbox.provider.example'
  const id = '7d3c1b7e-0b0e-4e57-9f5e-2a55c6a1d001'
  const evidence = [{ asked: `GET https://${host}/${id}`, sent: '', status: 200, answered: `{"id":"${id}"}` }]
  const of = { question: '?', excluded: [], tier: 'free' as const, evidence, on: '2026-11-25' }
  const report = calibrationDocument({
    ...{ baseUrl: `https://${host}`, startedAt: record().at, requests: 3, payments: 0, accepted: 0 },
    answers: [
      { ...of, assumption: 'error-body', verdict: 'holds', alternative: 'flat', why: null },
      { ...of, assumption: 'list-order', verdict: 'untold', alternative: null, why: `it answered ${id}` },
    ],
    stopped: { code: 'unreachable', why: `https://${host} gave no answer`, evidence },
  })
  const kept = evidenceRecordOf('calibrate', report, argumentsFor(calibrateCommand, ['--base-url', `https://${host}`]))
  expect(JSON.stringify(kept)).not.toMatch(new RegExp(`${host}|${id}`))
  const { sections } = evidenceReport([{ file: 'c', record: kept }], { ...wanted, nowMs: Date.now() }, [])
  expect(JSON.stringify(sections)).toContain('1 could not be told: list-order')
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
  const bundled = () => answer(['evidence', there, '--out', there])
  expect(await bundled()).toMatchObject({ code: 2, out: expect.stringContaining('There is nothing that counts.') })
  writeFileSync(join(there, 'gauntlet.json'), '{}')
  expect(await bundled()).toMatchObject({ code: 2, out: expect.stringContaining('Run the judge again') })
})
