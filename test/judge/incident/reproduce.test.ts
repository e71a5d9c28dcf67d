/** Incidents of example apps come again from their files, and not in the mended edition. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { readSchedules } from '../../../src/judge/explore/explore-document.ts'
import type { IncidentReport } from '../../../src/judge/incident/incident-document.ts'
import { readIncident } from '../../../src/judge/incident/read-incident.ts'
import { codesShown, seenIn } from '../../../src/judge/incident/seen-payments.ts'
import { answer, folder } from '../../apps/cli/support.ts'
import { type Gaps, type Incident, recorder, written } from './incidents.ts'

vi.setConfig({ testTimeout: 60_000 })
afterEach(() => vi.unstubAllEnvs())

const file = join(import.meta.dirname, '../../corpus/cases/timeout-credited-back/merchant.yaml')
const lost = { do: 'answer', kind: 'send-money', nth: 1, as: 'lost' } as const

async function reproduced(words: string[], isMended = false) {
  vi.stubEnv('MENDED', isMended ? '1' : '0')
  const { code, out, errors } = await answer(['reproduce', ...words, '--app', file, '--json'])
  const report: IncidentReport | null = JSON.parse(out || 'null')
  return { code, errors, out, report }
}

let made: Incident | undefined

/** A lost answer, and the double payment that came of it. */
async function incident(): Promise<Incident & { code: string | undefined }> {
  if (!made) {
    vi.stubEnv('MENDED', '0')
    const { run } = await recorder(file)
    made = await run([lost], (await run([])).ran)
  }
  return { ...made, code: made.ran.findings[0]?.code }
}

const codesIn = async ([traffic = '', , payments, , books]: readonly string[]) =>
  codesShown(seenIn(await readIncident({ traffic, payments, books })))

const inferred = (sure: string) => expect.arrayContaining([expect.objectContaining({ choice: lost, sure })])

it('shows a lost answer of production as a double payment, and writes nothing of whom it was about', async () => {
  const one = await incident()
  const { words, details } = written(one)
  const out = folder()
  const red = await reproduced([...words, '--out', out])
  expect(red.errors).toBe('')
  const report = { verdict: 'reproduced', findings: [{ code: one.code }], inferred: inferred('certain') }
  expect(red).toMatchObject({ code: 1, report })
  expect(readSchedules(out)).toMatchObject([{ code: one.code, choices: [lost] }])
  expect(readFileSync(join(out, 'incident.yaml'), 'utf8')).toMatch(
    /# Entry \d+, 16:40:00: POST \/api\/sandbox\/v1\/send-money got no answer; the list shows it SUCCESS\n +- name: "send-money 1: answer lost"/,
  )
  expect(details.length).toBeGreaterThan(5)
  const told = [red.out, ...readdirSync(out).map((name) => readFileSync(join(out, name), 'latin1'))].join('\n')
  expect(details.filter((detail) => formsOf(detail).some((form) => told.includes(form)))).toEqual([])
})

it('does not show it in the mended edition', async () => {
  // With books, every guess is tried as well: at night.
  const { words } = written(await incident(), { noBooks: true })
  expect(await reproduced(words, true)).toMatchObject({ code: 0, report: { verdict: 'not-reproduced', findings: [] } })
})

it('guesses what files with gaps do not tell, and says so', async () => {
  const one = await incident()
  const gaps: Gaps = { lines: true, foreign: true, noCallbacks: true, noList: true, noBooks: true }
  const { code, report } = await reproduced(written(one, gaps).words)
  expect({ code, report }).toMatchObject({ code: 1, report: { inferred: inferred('certain') } })
  expect(report?.findings.map((found) => found.code)).toContain(one.code)
  expect(report?.untold).toEqual(expect.arrayContaining([expect.stringMatching(/^No callback is in/)]))
})

it('reads what books and list show by themselves, from a HAR as from lines with bodies beside their size', async () => {
  const one = await incident()
  const asHar = await codesIn(written(one).words)
  expect(asHar).toContain(one.code)
  expect(await codesIn(written(one, { lines: true }).words)).toEqual(asHar)
  expect(await codesIn(written(one, { noBooks: true }).words)).toBeUndefined()
})

it.each([
  ['SUCCESS', 'SUCCESS', []],
  ['FAILED', 'SUCCESS', ['believed_paid']],
  ['SUCCESS', 'FAILED', ['stale']],
  ['PENDING', 'FAILED', ['given_up']],
])('compares a list that says %s with books that say %s', async (listed, booked, codes) => {
  const at = folder({
    'one.jsonl': line(201),
    'list.csv': `reference,kind,status,amount\nSAL-1,send-money,${listed},10`,
    'books.csv': `reference,amount,status\nSAL-1,10,${booked}`,
  })
  const files = ['one.jsonl', '', 'list.csv', '', 'books.csv'].map((name) => join(at, name))
  expect(await codesIn(files)).toEqual(new Set(codes))
})

/** As text, digits, Base64 at each of its three offsets, and percent-encoded. */
function formsOf(detail: string): string[] {
  const base64 = [0, 1, 2].map((skipped) => Buffer.from(detail.slice(skipped)).toString('base64').slice(0, -4))
  const digits = detail.replaceAll(/\D/g, '')
  return [detail, encodeURIComponent(detail), ...[digits, ...base64].filter((form) => form.length > 8)]
}

const line = (status: number) =>
  JSON.stringify({
    ...{ ts: 1_793_700_667, method: 'POST', url: 'https://api.pay.test/api/v1/send-money', status },
    ...{
      req: { body: { phoneNumber: '254722555123', amount: 10, referenceId: 'SAL-1' } },
      res: { body: { data: {} } },
    },
  })

it('cannot tell what the files do not', async () => {
  const files = {
    'ordinary.jsonl': line(201),
    'elsewhere.har': JSON.stringify({ log: { entries: [] } }),
    'other.jsonl': line(200).replace('send-money', 'unknown'),
    'headless.csv': 'SAL-1,254722555123,paid\n',
    'columns.csv': 'amount,how\n10,paid\n',
    'people.csv': 'Jane,paid\nJoe,paid\n',
    'books.csv': 'reference,amount\nSAL-1,Jane\n',
  }
  const at = folder(files)
  const told = (name: string, ...more: string[]) => reproduced([join(at, name), ...more])
  expect(await told('ordinary.jsonl')).toMatchObject({ code: 2, report: { verdict: 'untold', findings: [] } })
  expect((await told('elsewhere.har')).errors).toMatch(/elsewhere\.har holds no traffic\. Expected a HAR file, or JSON/)
  expect((await told('other.jsonl')).errors).toMatch(/None of 1 entries is a request to the service\. Expected paths/)
  const headless = await told('ordinary.jsonl', '--payments', join(at, 'headless.csv'))
  expect(headless).toMatchObject({
    code: 2,
    errors: expect.stringMatching(/--payments: .*got 3 columns without a header/),
  })
  const columns = await told('ordinary.jsonl', '--payments', join(at, 'columns.csv'))
  expect(columns.errors).toMatch(/expected .* with status and requestId or reference .*got the columns "amount", "how"/)
  const people = await told('ordinary.jsonl', '--payments', join(at, 'people.csv'))
  expect(people.errors).toContain('got 2 columns without a header')
  const books = await told('ordinary.jsonl', '--books', join(at, 'books.csv'))
  expect(books.errors).toMatch(/--books: books line 1, amount: must be an amount of at least 0/)
  expect(headless.errors + columns.errors + people.errors + books.errors).not.toMatch(/Jane|2547|SAL/)
})
