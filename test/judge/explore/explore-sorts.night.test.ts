/** A finding of each sort, in apps in JavaScript and Python: by its code, and by the choices that it needs. */
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { readMerchantFile } from '../../../src/judge/app/merchant-file.ts'
import type { Choice } from '../../../src/judge/explore/choice.ts'
import { SubjectRunner } from '../../../src/judge/explore/subject-runs.ts'
import { answer, folder } from '../../apps/cli/support.ts'
import { needs } from '../../support/needs.ts'
import { dayOrNight } from '../../support/night.ts'
import { edition } from '../editions.ts'

/** Some runs of an app, on a machine that may be busy. */
vi.setConfig({ testTimeout: 600_000 })

const end = (kind: string, nth: number, as: string) => ({ do: 'end', kind, nth, as }) as Choice
const reply = (kind: string, nth: number, as: string) => ({ do: 'answer', kind, nth, as }) as Choice
const tell = (kind: string, nth: number, as: string) => ({ do: 'tell', kind, nth, as }) as Choice
const refuse = (operation: string, nth: number, as: string) => ({ do: 'refuse', operation, nth, as }) as Choice
const crash = (at: string, on: string, nth: number) => ({ do: 'crash', at, on, nth }) as Choice

/** What is chosen besides, and comes to nothing. */
const noise: Choice[] = [
  { do: 'restart-service', step: 2 },
  { do: 'pass', step: 1, by: '20s' },
]

/** The app, its mistake, what it is found by, and all that this takes. */
type Sort = [app: string, bug: string, code: string, guilty: Choice[]]
const few: Sort[] = [
  ['duka', 'any-answer-is-accepted', 'never_made', [refuse('createSendMoney', 1, '429')]],
  ['duka', 'success-is-for-ever', 'taken_back', [end('send-money', 1, 'paid-then-failed')]],
  ['stipends', 'writes-after', 'paid_twice', [crash('executed', 'createSendMoney', 1)]],
]
const more: Sort[] = [
  ['duka', 'asks-anew-without-answer', 'asked_again_after_unknown_answer', [reply('send-money', 1, 'lost')]],
  ['duka', 'pays-before-it-writes', 'paid_unknown', [crash('executed', 'createSendMoney', 1)]],
  ['stipends', 'no-answer-is-failed', 'stale', [reply('send-money', 1, 'lost')]],
  ['stipends', 'callback-decides', 'believed_paid', [tell('send-money', 1, 'forged')]],
  ['stipends', 'paid-is-paid', 'taken_back', [end('send-money', 1, 'paid-then-failed')]],
  ['rents', 'new-name-after-5xx', 'stale', [reply('paybill', 1, '500')]],
  ['rents', 'stops-polling', 'stale', [end('paybill', 1, 'slow')]],
]
const sorts = [...few, ...dayOrNight([], more)]
const inPython = ['stipends', 'rents']

/** What is found of a mistake when the choices are replayed, the idle ones among them. */
async function foundOf([app, bug, code, guilty]: Sort) {
  const known = folder({ 'known.schedule.json': JSON.stringify({ code, choices: [...noise, ...guilty] }) })
  const typed = ['explore', edition(app, bug), '--json', '--within', '1d', '--replay', known, '--only-replay']
  const { out, errors } = await answer([...typed, '--jobs', '2'])
  expect(errors).toBe('')
  const { findings, unstable } = JSON.parse(out) as { findings: { code: string; choices: Choice[] }[]; unstable: [] }
  return { bug, findings: findings.map(({ code, choices }) => ({ code, choices })), unstable }
}

it.for([...Map.groupBy(sorts, ([app]) => app)])(
  'finds each mistake of %s by its code, and by all that this takes',
  async ([app, its], context) => {
    if (inPython.includes(app)) needs('python3', context)
    for (const one of its) {
      const [, bug, code, guilty] = one
      expect(await foundOf(one)).toEqual({ bug, findings: [{ code, choices: guilty }], unstable: [] })
    }
  },
)

it('blames nobody for a page whose address died with the app, and of which no callback told', async () => {
  const died = crash('executed', 'createCheckoutSession', 1)
  const unheard = [died, tell('checkout', 1, 'lost')]
  // What was told at a moment when nobody could look it up is told again to whoever says so.
  const unread = [died, refuse('getCheckoutSession', 1, 'empty')]
  const known = folder(
    Object.fromEntries(
      [unheard, unread].map((choices, i) => [`${i}.schedule.json`, JSON.stringify({ code: 'stale', choices })]),
    ),
  )
  vi.stubEnv('MENDED', '1')
  onTestFinished(() => void vi.unstubAllEnvs())
  const file = join(import.meta.dirname, '../../corpus/cases/browser-says-paid/merchant.yaml')
  const typed = ['explore', file, '--json', '--within', '1d', '--replay', known, '--only-replay']
  expect(JSON.parse((await answer(typed)).out)).toMatchObject({ findings: [], unstable: [], schedules: { run: 3 } })
})

const opened = (file: string) =>
  SubjectRunner.open({
    ...{ merchant: readMerchantFile(file), seed: 1, jobs: 1, readyWithinMs: 60_000, restWithinMs: 20_000 },
    signal: new AbortController().signal,
  })

it('sees a mistake each time that its schedule is run', async () => {
  const runner = await opened(edition('duka', 'pays-before-it-writes'))
  try {
    for (let run = 1; run <= dayOrNight(4, 100); run++) {
      const { findings } = await runner.run([crash('executed', 'createSendMoney', 1)])
      expect([run, findings.map(({ code }) => code)]).toEqual([run, expect.arrayContaining(['paid_unknown'])])
    }
  } finally {
    await runner.close()
  }
})

it('goes on where the service died, and was started again on its own data', async () => {
  const runner = await opened(edition('duka', ''))
  try {
    // Both acts were done, and nothing that follows from them.
    const { findings, happened } = await runner.run([{ do: 'restart-service', step: 3 }])
    expect(findings).toEqual([])
    const first = happened.flatMap((one) => {
      if (one.what === 'service-restart') return ['restarted']
      return 'kind' in one && one.kind === 'stk' && one.nth === 1
        ? [`${one.what} ${'status' in one ? one.status : ''}`]
        : []
    })
    expect(first).toEqual(['payment PENDING', 'restarted', 'payment SUCCESS', 'callback SUCCESS'])
  } finally {
    await runner.close()
  }
})
