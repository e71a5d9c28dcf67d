/** A finding's worth, by whether it comes again: each time, not each time, or only when books are read too soon. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { must } from '../../../src/core/model/must.ts'
import { Engine } from '../../../src/judge/explore/engine.ts'
import { toldLists, writeFindings } from '../../../src/judge/explore/explore-document.ts'
import type { Happened } from '../../../src/judge/explore/happened.ts'
import { emptyRun, type Ran } from '../../../src/judge/explore/run-app.ts'
import type { SubjectRuns } from '../../../src/judge/explore/subject-runs.ts'
import { toldFindings } from '../../../src/judge/explore/tell.ts'
import { folder } from '../../support/folder.ts'

const clean = emptyRun([])
const shows: Ran = { ...clean, findings: [{ code: 'stale', text: '', requests: [] }] }

/** A run that shows it, three patient runs, and a hasty one. */
async function verdictOn(patient: Ran[], hasty: Ran, isHasty = true) {
  const left = [shows, ...patient, hasty]
  const run = async () => ({ ...must(left.shift()), tookMs: 1 })
  const runs = { run } as unknown as SubjectRuns
  const engine = new Engine({ runs, signal: new AbortController().signal, capsules: undefined })
  const ran = must(await engine.run([], isHasty ? {} : { patience: 'first' }))
  return { ...(await engine.judge(ran))[0], left: left.length }
}

it('tells a finding that comes each time from one that does not', async () => {
  expect(await verdictOn([shows, shows, shows], clean)).toMatchObject({ verdict: 'certain', left: 1 })
  const unstable = await verdictOn([shows, clean, shows], shows)
  expect(unstable).toMatchObject({ verdict: 'unstable', found: { without: clean }, left: 1 })
})

it('takes books for read too soon that are wrong each time at once, and never later', async () => {
  expect(await verdictOn([clean, clean, clean], shows)).toMatchObject({ verdict: 'too-soon', left: 0 })
  // Once, and then neither at once nor later: the app does not do the same each time.
  expect(await verdictOn([clean, clean, clean], clean)).toMatchObject({ verdict: 'unstable', left: 0 })
})

it('asks nine times about the ordinary day, after which nothing else is judged', async () => {
  const days = (last: Ran) => [...Array.from({ length: 8 }, () => shows), last]
  expect(await verdictOn(days(shows), clean, false)).toMatchObject({ verdict: 'certain', left: 1 })
  expect(await verdictOn(days(clean), shows, false)).toMatchObject({ verdict: 'unstable', left: 1 })
})

it('writes the capsule of a run that showed two findings for each of them', () => {
  const out = folder({ 'kept.capsule': 'all of it' })
  const one = { text: '', requests: [], capsule: `${out}/kept.capsule` }
  const alike = ['paid_twice', 'paid_unknown'].map((code) => ({ ...one, code }))
  const findings = alike.map((first) => ({ ...first, choices: [], ran: clean, alike: [first] }))
  const lists = { findings, unstable: [], tooSoon: [], unconfirmed: [] }
  writeFindings(out, lists)
  const written = toldLists(lists).findings.map(({ capsule }) => readFileSync(must(capsule), 'utf8'))
  expect(written).toEqual(['all of it', 'all of it'])
  expect(readdirSync(out).filter((name) => name.endsWith('.capsule'))).toHaveLength(2)
})

it('tells of a long run the steps of its choices and of the money, wherever they are', () => {
  const poll: Happened = { what: 'answer', operation: 'listPaybillPayments', nth: 1, status: 200 }
  const polls = Array.from({ length: 40 }, () => poll)
  const act: Happened = { what: 'act', name: 'pay', n: 2 }
  const paid: Happened = { what: 'payment', kind: 'send-money', nth: 2, status: 'SUCCESS' }
  const about = new Map([['second', { kind: 'send-money', nth: 2 }]])
  const ran = { happened: [...polls, act, ...polls, paid, ...polls], chosen: new Set([act]), about }
  const finding = { code: 'paid_twice', text: '', requests: [], requestId: 'first', others: ['second'] }
  const [told] = toldFindings({ choices: [], ran }, [finding])
  const texts = told?.sequence?.map(({ text }) => text.replace(/^200 .*/, 'poll')) ?? []
  const end = ['poll', 'pay 2', 'poll', 'and 38 steps more', 'poll', 'send-money 2 is SUCCESS', 'poll']
  expect(texts).toEqual([...Array(8).fill('poll'), 'and 31 steps more', ...end, 'and 39 steps more'])
  const [full] = toldFindings({ choices: [], ran: { ...ran, chosen: new Set([poll]) } }, [finding])
  expect(full?.sequence?.map(({ text }) => text)).toContain('send-money 2 is SUCCESS')
})
