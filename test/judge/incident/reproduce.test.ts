/** Incidents of example apps come again from their files, and not in the mended edition. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { readSchedules } from '../../../src/judge/explore/explore-document.ts'
import type { IncidentReport } from '../../../src/judge/incident/incident-document.ts'
import { answer, folder } from '../../apps/cli/support.ts'
import { cases } from '../../corpus/cases.ts'
import { merchantFile } from '../../corpus/judge-case.ts'
import { type Incident, recorder, written } from './incidents.ts'

const caseNamed = (name: string) => merchantFile(cases.find((one) => one.name === name) as never)
const file = caseNamed('timeout-credited-back')
const lost = { do: 'answer', kind: 'send-money', nth: 1, as: 'lost' } as const

async function incidentOf(choices: Parameters<Awaited<ReturnType<typeof recorder>>['run']>[0]): Promise<Incident> {
  const { run } = await recorder(file)
  const { ran } = await run([])
  return run(choices, ran)
}

async function reproduced(words: string[], isMended = false) {
  vi.stubEnv('MENDED', isMended ? '1' : '0')
  try {
    const { code, out, errors } = await answer(['reproduce', ...words, '--app', file, '--json'])
    return { code, errors, out, report: JSON.parse(out || 'null') as IncidentReport }
  } finally {
    vi.unstubAllEnvs()
  }
}

it('shows a lost answer of production as a double payment, and its mend as none', async () => {
  const incident = await incidentOf([lost])
  const codes = incident.ran.findings.map(({ code }) => code)
  const { words, details } = written(incident)
  const out = folder()
  const red = await reproduced([...words, '--out', out])
  expect(red.errors).toBe('')
  expect(red.report).toMatchObject({
    verdict: 'reproduced',
    inferred: expect.arrayContaining([expect.objectContaining({ choice: lost, sure: 'certain' })]),
  })
  expect(red.code).toBe(1)
  expect(codes).toContain(red.report.findings[0]?.code)
  expect(readSchedules(out)).toMatchObject([{ code: codes[0], choices: [lost] }])
  expect(readFileSync(join(out, 'incident.yaml'), 'utf8')).toMatch(
    /# Entry \d+, 16:40:00: POST \/api\/sandbox\/v1\/send-money got no answer; the list shows it SUCCESS/,
  )
  const told = [red.out, ...readdirSync(out).map((name) => readFileSync(join(out, name), 'latin1'))].join('\n')
  expect(details.filter((detail) => formsOf(detail).some((form) => told.includes(form)))).toEqual([])
  expect(await reproduced(words, true)).toMatchObject({ code: 0, report: { verdict: 'not-reproduced', findings: [] } })
}, 60_000)

function formsOf(detail: string): string[] {
  const base64 = Buffer.from(detail).toString('base64').replace(/=+$/, '')
  return [detail, detail.replaceAll(/\D/g, ''), base64, encodeURIComponent(detail)].filter((form) => form.length > 5)
}
