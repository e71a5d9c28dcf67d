/** A proof needs a repository, a commit before, and a merchant file that still has its acts. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { answer, folder } from '../../apps/cli/support.ts'
import { Repository } from './repository.ts'

const CASE = 'timeout-credited-back'
const known = {
  code: 'asked_again_after_unknown_answer',
  choices: [{ do: 'answer', kind: 'send-money', nth: 1, as: 'lost' } as const],
}

it.each([
  [/^ {2}pay:/m, '  wait:', 'acts.pay'],
  [/^books: .*$/m, '', 'books'],
  [/^tick: .*$/m, '', 'tick'],
])('refuses a mend that takes %s out of the merchant file', async (from, to, part) => {
  const repository = new Repository(CASE)
  repository.edit('merchant.yaml', [from, to])
  const { code, out } = await repository.prove('--incident', repository.incident(known), '--json')
  expect(code, out).toBe(1)
  const text = `The merchant file has no ${part} now, as it had in the commit before.`
  expect(JSON.parse(out)).toMatchObject({ verdict: 'refused', reasons: [{ code: 'act_gone', text }] })
})

it('says what it needs: a repository, a commit, a merchant file in it, its dependencies', async () => {
  const repository = new Repository(CASE)
  const incident = repository.incident(known)
  const refused = async (...typed: string[]) => {
    const { code, errors } = await repository.prove('--incident', incident, ...typed)
    expect(code, errors).toBe(2)
    return errors
  }
  expect(await refused('--from', 'nowhere')).toMatch(/--from: expected a commit, branch or tag of .*, got nowhere/)
  expect(await refused('--finding', 'paid_twise')).toMatch(/--finding: expected a code .* Did you mean "paid_twice"/)
  expect(await refused()).toMatch(/got HEAD~1, which is none/)
  writeFileSync(
    repository.path('merchant.yaml'),
    `${readFileSync(repository.file, 'utf8')}prepare: echo no network; exit 3\n`,
  )
  expect(await refused()).toMatch(/prepare: echo no network; exit 3 failed in the commit before.*no network/s)
  repository.git('mv', repository.path('merchant.yaml'), repository.path('shop.yaml'))
  const moved = await answer(['prove', repository.path('shop.yaml')])
  expect(moved).toMatchObject({ code: 2, errors: expect.stringMatching(/shop\.yaml is not in HEAD/) })
  rmSync(join(incident, '1.schedule.json'))
  expect(await answer(['prove', repository.path('shop.yaml'), '--incident', incident])).toMatchObject({
    errors: expect.stringContaining('*.schedule.json'),
  })
  const alone = folder({ 'merchant.yaml': readFileSync(repository.path('shop.yaml')) })
  const without = await answer(['prove', join(alone, 'merchant.yaml')])
  expect(without).toMatchObject({ code: 2, errors: expect.stringContaining('is in no git repository') })
  expect(repository.git('worktree', 'list').split('\n')).toHaveLength(1)
})
