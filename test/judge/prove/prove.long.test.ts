/** A mend of a real app in a real repository: proved, refused, or not judged, with its reason. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { Repository } from './repository.ts'

vi.setConfig({ testTimeout: 300_000 })

const CASE = 'timeout-credited-back'
const lost = { do: 'answer', kind: 'send-money', nth: 1, as: 'lost' } as const
const CODE = 'asked_again_after_unknown_answer'
const known = { code: CODE, choices: [lost] }

const trees = () => readdirSync(tmpdir()).filter((name) => name.startsWith(`mfano-tree-${process.pid}-`))

it('proves a true mend by the acts of the commit before, and leaves no checkout behind', async () => {
  const repository = new Repository(CASE)
  const head = repository.git('rev-parse', 'HEAD')
  repository.mend()
  repository.edit('merchant.yaml', [/^acts:\n/m, 'acts:\n  added: { post: /none }\n'])
  const incident = repository.incident(known)
  const out = join(repository.top, 'receipt')
  const first = await repository.prove('--incident', incident, '--out', out)
  expect(first, first.out).toMatchObject({ code: 0, errors: '' })
  const receipt = JSON.parse(readFileSync(join(out, 'receipt.json'), 'utf8'))
  const markdown = readFileSync(join(out, 'receipt.md'), 'utf8')
  expect(receipt).toMatchObject({
    verdict: 'proved',
    reasons: [],
    schedules: [{ ...known, before: 'red', now: 'green' }],
    before: { ref: 'HEAD', commit: head },
    now: { commit: head, changed: true, digest: expect.stringMatching(/^[\da-f]{64}$/) },
    neighbours: { red: [], known: [] },
    seed: 1,
  })
  expect(receipt.neighbours.tried).toBeGreaterThan(10)
  for (const part of ['Proved', head, receipt.now.digest, CODE.replaceAll('_', '\\_')]) expect(markdown).toContain(part)
  // A schedule that is run several times has no one duration.
  expect(markdown).not.toMatch(/\| 0 \|/)
  expect(trees()).toEqual([])
  expect(repository.git('worktree', 'list').split('\n')).toHaveLength(1)
})

it.each<[why: string, code: string, change: (repository: Repository) => void]>([
  ['names alone were changed', 'still_there', (repository) => repository.rename()],
  ['the app does nothing', 'act_gone', (repository) => repository.idle()],
  [
    'something beside it turned red',
    'neighbour_red',
    (repository) => {
      repository.mend()
      // A callback that comes again is booked again.
      repository.edit(
        'app.mjs',
        [/book,/, 'book, hear,'],
        [
          /^serve\(.*/m,
          `function told(line, body) {
  if (line?.isTold) book.lines.push({ ...line })
  if (line) line.isTold = true
  return hear(line, body)
}

serve({ acts: { pay: earn }, tick, told })`,
        ],
      )
    },
  ],
])('refuses a mend where %s: %s', async (_, code, change) => {
  const repository = new Repository(CASE)
  const incident = repository.incident(known)
  const out = join(repository.top, 'receipt')
  mkdirSync(out)
  writeFileSync(join(out, 'receipt.json'), 'of an earlier mend')
  change(repository)
  const ran = await repository.prove('--incident', incident, '--out', out, '--json')
  expect(ran, ran.out).toMatchObject({ code: 1, errors: '' })
  const { verdict, reasons }: { verdict: string; reasons: { code: string }[] } = JSON.parse(ran.out)
  expect([verdict, ...new Set(reasons.map((one) => one.code))]).toEqual(['refused', code])
  expect(existsSync(join(out, 'receipt.json'))).toBe(false)
})

it('cannot tell of a schedule that is not red before, or that the mended app does not reach', async () => {
  const repository = new Repository(CASE)
  const third = { ...lost, nth: 3 }
  const incident = repository.incident({ code: CODE, choices: [lost, third] }, { code: 'stale', choices: [lost] })
  repository.mend()
  const { code, out } = await repository.prove('--incident', incident, '--json')
  expect(code, out).toBe(2)
  expect(JSON.parse(out)).toMatchObject({
    verdict: 'unjudged',
    reasons: [
      { code: 'not_red', text: expect.stringContaining('stale') },
      { code: 'not_reached', text: expect.stringContaining('third send-money') },
    ],
  })
})
