/**
 * The bars of a proof, over the corpus: a receipt for each bug whose mended edition is in the tree, and none for a rename,
 * for an app that does nothing, and for a mend of another bug.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import type { KnownSchedule } from '../../../src/judge/explore/choice.ts'
import { type Case, cases } from '../../corpus/cases.ts'
import { canRun } from '../../corpus/judge-case.ts'
import { dailyCase } from '../../support/night.ts'
import { Repository } from './repository.ts'

vi.setConfig({ testTimeout: 900_000 })

const named = process.env['CASES']?.split(',')
const runnable = dailyCase(cases.filter((one) => canRun(one) && (named?.includes(one.name) ?? true)))
const counts = { mended: 0, refused: 0 }

/** Each reason has its code and its text. */
interface Said {
  verdict: string
  reasons: { code: string; text: string }[]
  schedules: KnownSchedule[]
}

async function prove(repository: Repository, ...typed: string[]): Promise<Said> {
  const { out, errors } = await repository.prove(...typed, '--json')
  return out === '' ? { verdict: errors, reasons: [], schedules: [] } : JSON.parse(out)
}

/** The first of its codes that the commit before shows, with the verdict on its mend. */
async function onMend({ name, shows }: Case): Promise<Said> {
  const repository = new Repository(name)
  repository.mend()
  for (const code of shows) {
    const said = await prove(repository, '--finding', code)
    if (said.schedules.length > 0) return said
  }
  return { verdict: `nothing found of ${shows.join(', ')}`, reasons: [], schedules: [] }
}

async function onChange({ name }: Case, known: KnownSchedule, change: (repository: Repository) => void): Promise<Said> {
  const repository = new Repository(name)
  change(repository)
  return prove(repository, '--incident', repository.incident(known))
}

it.each(runnable)('gives a receipt for the mend of $name, and for nothing else', async (one) => {
  const other = cases.find(({ name, stack }) => name !== one.name && stack === one.stack) as Case
  const mended = await onMend(one)
  counts.mended += Number(mended.verdict === 'proved')
  expect(mended).toMatchObject({ verdict: 'proved', reasons: [] })
  const [known] = mended.schedules
  const renamed = await onChange(one, known as KnownSchedule, (repository) => repository.rename())
  const idle = await onChange(one, known as KnownSchedule, (repository) => repository.idle())
  const elsewhere = await onChange(one, known as KnownSchedule, (repository) =>
    repository.mend(repository.add(other.name)),
  )
  counts.refused += [renamed, idle, elsewhere].filter(({ verdict }) => verdict === 'refused').length
  expect(renamed).toMatchObject({ verdict: 'refused', reasons: [{ code: 'still_there' }] })
  expect(idle).toMatchObject({
    verdict: 'refused',
    reasons: expect.arrayContaining([expect.objectContaining({ code: 'act_gone' })]),
  })
  expect(elsewhere).toMatchObject({ verdict: 'refused', reasons: [{ code: 'still_there' }] })
})

it('gives the same receipt twice, apart from its time', async () => {
  const [one] = runnable
  const repository = new Repository((one as Case).name)
  repository.mend()
  const code = one?.shows[0] ?? ''
  const receipts = []
  for (const out of ['a', 'b'].map((name) => join(repository.top, name))) {
    await repository.prove('--finding', code, '--out', out)
    const [text = '', markdown] = ['receipt.json', 'receipt.md'].map((name) => readFileSync(join(out, name), 'utf8'))
    receipts.push({ ...JSON.parse(text), at: '', markdown })
    rmSync(out, { recursive: true })
  }
  expect(receipts[0]).toEqual(receipts[1])
})

afterAll(() => {
  console.log(`receipts: ${counts.mended} of ${runnable.length}; refused: ${counts.refused} of ${3 * runnable.length}`)
})
