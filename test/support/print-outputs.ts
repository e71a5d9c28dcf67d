/** Runs commands in a prepared world, and keeps the beginning of what each prints, for its help. */
import { expect } from 'vitest'
import { answer, folder, words } from '../apps/cli/support.ts'
import type { Bench, TestWorld } from './harness.ts'

const LINES_MAX = 9
const WIDTH = 108

/** A command as its help names it, and as it is typed. */
type Shown = [path: string, typed: string]

const looking: readonly Shown[] = [
  ['clock show', 'clock'],
  ['payment list', 'payment list'],
  ['payment show', 'payment show salary-1'],
  ['payment explain', 'payment explain salary-2'],
  ['explain', 'explain salary-2'],
  ['callback list', 'callback list'],
  ['callback show', 'callback show 1'],
  ['inbox list', 'inbox list'],
  ['inbox show', 'inbox show hello'],
  ['requests list', 'requests list'],
  ['requests unread', 'requests unread'],
  ['wallet list', 'wallet list'],
  ['handset list', 'handset list'],
  ['handset show', 'handset show 254712345678'],
  ['scenario hits', 'scenario hits'],
  ['report', 'report'],
  ['coverage', 'coverage'],
  ['run list', 'run list'],
  ['snapshot list', 'snapshot list'],
  ['verify', `verify request --where 'body.referenceId == "salary-1"' --exactly 1`],
  ['wait', 'wait inbox'],
  ['reconcile', 'reconcile'],
]

const changing: readonly Shown[] = [
  ['handset approve', 'handset approve 254712345678'],
  ['payment collect', 'payment collect stk 254712345679 500'],
  ['payment resolve', 'payment resolve rent-1 SUCCESS'],
  ['clock advance', 'clock advance 90s'],
  ['clock settle', 'clock settle --within 1h'],
  ['callback redeliver', 'callback redeliver 1'],
  ['callback held', 'callback held'],
  ['inbox answer', 'inbox answer hello 500,500,200'],
  ['inbox clear', 'inbox clear hello'],
  ['wallet fund', 'wallet fund 50000'],
  ['run start', 'run start payday'],
  ['run end', 'run end payday'],
  ['scenario use', 'scenario use slow-rails'],
  ['requests clear', 'requests clear'],
  ['clock set', 'clock set scaled --rate 60'],
]

const elsewhere: readonly Shown[] = [
  ['scenario list', 'scenario list'],
  ['scenario new', 'scenario new month-end'],
  ['scenario lint', 'scenario lint month-end.yaml'],
  ['scenario explain', `scenario explain default --on till --request '{"businessNumber":"000404"}'`],
  ['scenario preview', `scenario preview late-reversal --on bank-payout --request '{"amount":20000}'`],
  ['scenario show', 'scenario show slow-rails'],
  ['version', 'version'],
]

/** Recorded by hand in `test/corpus/cases/fresh-payment-on-retry`, because a judge takes half a minute. */
const judged: Readonly<Record<string, string[]>> = {
  gauntlet: [
    '$ mfano gauntlet merchant.yaml',
    'ok        default  1.5 s',
    'FOUND     answer stk 1 500  3.8 s  charged_too_much, asked_again_after_unknown_answer',
    '…',
    'fresh-payment-on-retry: 18 findings of 4 codes.',
    'Money at risk: KES 2,800.00 in 4 payments',
    '…',
    'RISK          VERDICT          TRIED  FAILED  LEFT',
    'Lost answers  ✗ FAILED            13       6    18',
    'Repetitions   ! passed so far     11       0     4',
    '…',
  ],
  explore: [
    '$ mfano explore merchant.yaml --within 30s',
    'charged_too_much with 1 choice',
    '  The payer of the stk of KES 700.00 from 254712000101 (order-1-2) paid twice: also by payment 7581dd66-…',
    '  stk 1: the payment is made, and answered 500 all the same',
    '…',
    'fresh-payment-on-retry: 1 finding.',
    'Money at risk: KES 700.00 in 1 payment',
    '18 runs of 14 distinct schedules, 104 behaviours, in 19.9 s: 0.9 a second.',
  ],
}

export async function shownOutputs(bench: Bench): Promise<Record<string, string[]>> {
  const world = await lived(bench)
  const at = ['--url', bench.simulator.baseUrl, '--world', world.id]
  const shown: Record<string, string[]> = {}
  for (const [path, typed] of [...looking, ...changing]) shown[path] = await printed(typed, at, bench)
  const before = process.cwd()
  process.chdir(folder())
  for (const [path, typed] of elsewhere) shown[path] = await printed(typed, [], bench)
  process.chdir(before)
  return { ...shown, ...judged }
}

/** A world in which something of everything has happened, and a prompt waits on a phone. */
async function lived(bench: Bench): Promise<TestWorld> {
  const world = await bench.world({ id: 'help', seed: 1, scenario: 'handset' })
  await world.control('POST', '/runs', { name: 'payday' })
  const callbackUrl = `${world.baseUrl}/_mfano/inbox/hello`
  await bench.pay(world, { amount: 20_000, referenceId: 'salary-1', callbackUrl })
  await bench.pay(world, { amount: 1250.5, referenceId: 'salary-2', phoneNumber: '254711000404', callbackUrl })
  await world.advance('5s')
  await world.control('POST', '/snapshots', { name: 'before-payday' })
  await bench.pay(world, { amount: 8000, referenceId: 'rent-1', callbackUrl })
  await world.control('POST', '/collections/stk', {
    amount: 500,
    phoneNumber: '254712345678',
    accountReference: 'INV-7',
  })
  return world
}

async function printed(typed: string, at: readonly string[], bench: Bench): Promise<string[]> {
  const ran = await answer([...words(typed), ...at], WIDTH)
  expect(ran, ran.errors).toMatchObject({ code: 0, errors: '' })
  const lines = plain(ran.out, bench).trimEnd().split('\n')
  const first = lines.slice(0, LINES_MAX).map((line) => (line.length > WIDTH ? `${line.slice(0, WIDTH - 1)}…` : line))
  return [`$ mfano ${typed}`, ...first, ...(lines.length > LINES_MAX ? ['…'] : [])]
}

/** Without what differs from run to run, and as at a server of one's own. */
function plain(out: string, bench: Bench): string {
  return out
    .replaceAll(/ --url \S+ --world \S+/g, '')
    .replaceAll(`${bench.simulator.baseUrl}/w/help`, 'http://localhost:8080')
    .replaceAll(bench.simulator.baseUrl, 'http://localhost:8080')
    .replaceAll(/\b\d+ ms\b/g, '4 ms')
    .replaceAll(/Node\.js [\d.]+/g, 'Node.js 24.0.0')
    .replaceAll(/[\d.]+ kB/g, '188.4 kB')
}
