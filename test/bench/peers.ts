/** Payments taken by mfano in memory, against a peer that keeps state in memory too. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Benchmark, count, folder, interleave, median, ratioOf } from './kit.ts'
import { Target } from './target.ts'

export const peers: Benchmark = async (plan) => {
  // Not by time: SQLite lets a database in memory hold 1 GB, some 500,000 payments with their journal.
  const [rounds, requests] = plan.quick ? [3, 20_000] : [3, 40_000]
  // In a clock that stands still no payment goes on, as none does at the peer.
  const scenario = join(folder(), 'rich.yaml')
  writeFileSync(
    scenario,
    'name: rich\ndescription: Everybody is rich.\nwallets: { KES: 100000000000 }\nclock: { mode: frozen }\n',
  )
  const ours = await Target.inMemory(scenario)
  const peer = await Target.emulate()
  for (const target of [ours, peer]) await target.load({ requests: plan.quick ? 10_000 : 20_000 })
  const results = await interleave(
    rounds,
    () => ours.load({ requests }),
    () => peer.load({ requests }),
  )
  for (const target of [ours, peer]) await target.stop()
  const of = (figure: 'perSecond' | 'cpuUs') => ({
    ours: results.ours.map((loaded) => loaded[figure]),
    peer: results.baseline.map((loaded) => loaded[figure]),
  })
  const perSecond = of('perSecond')
  const cpuUs = of('cpuUs')
  const rows = [
    { by: 'requests per second', unit: '/s', figures: perSecond, ratio: ratioOf(perSecond.ours, perSecond.peer) },
    { by: 'processor time a request', unit: ' µs', figures: cpuUs, ratio: ratioOf(cpuUs.peer, cpuUs.ours) },
  ]
  return rows.map(({ by, unit, figures, ratio }) => ({
    what: `\`POST send-money\` in memory, against \`emulate\`'s \`POST payment_intents\`, by ${by}`,
    ours: `${count(median(figures.ours))}${unit}`,
    baseline: `${count(median(figures.peer))}${unit}`,
    ratio: ratio.toFixed(2),
    budget: 'at least 1.0',
    met: ratio >= 1,
    how: `\`src/apps/cli.ts\` with \`--data :memory:\` and a frozen clock, against emulate 0.12.2, which checks for an amount and a currency and keeps the rest as it came; ${rounds} interleaved rounds of ${count(requests)} requests, 100 connections from a third process.`,
  }))
}
