/** A million PENDING payments fall due: the timekeeper's steps against the least that any program could write. */
import { databaseIn, filledOnce, onCopy } from './filled.ts'
import { type Benchmark, count, inChild, interleave, median, ratioOf } from './kit.ts'
import type { Stepped, Stepping } from './step.ts'

const RSS_BUDGET_MB = 200

export const steps: Benchmark = async (plan) => {
  const payments = plan.quick ? 100_000 : 1_000_000
  const full = await filledOnce(payments)
  const child = (file: string, mode: Stepping['mode']) =>
    inChild<Stepped>('step.ts', { file, payments, mode } satisfies Stepping, { profiled: mode !== 'update' })
  const run = (mode: Stepping['mode']) =>
    onCopy(full, async (copy) => {
      if (mode === 'silent') await child(databaseIn(copy), 'strip')
      return child(databaseIn(copy), mode)
    })
  const rows = []
  for (const mode of ['callbacks', 'silent'] as const) {
    const results = await interleave(
      plan.quick ? 3 : 2,
      () => run(mode),
      () => run('update'),
    )
    const perSecond = { ours: results.ours.map((r) => r.perSecond), baseline: results.baseline.map((r) => r.perSecond) }
    const ratio = ratioOf(perSecond.ours, perSecond.baseline)
    const rssMb = Math.max(...results.ours.map((r) => r.rssMb))
    const written =
      mode === 'callbacks'
        ? 'and writes a callback to the outbox, none of which is ever answered'
        : 'and has no callback address'
    rows.push({
      what: `${count(payments)} PENDING payments fall due${mode === 'silent' ? ', without callbacks' : ', each with a callback'}, against one prepared UPDATE per row`,
      ours: `${count(median(perSecond.ours))}/s, ${Math.round(rssMb)} MB`,
      baseline: `${count(median(perSecond.baseline))}/s`,
      ratio: ratio.toFixed(2),
      budget: mode === 'callbacks' ? `at least 0.25, under ${RSS_BUDGET_MB} MB` : 'for comparison',
      met: ratio >= 0.25 && rssMb < RSS_BUDGET_MB,
      how: `A process opens the filled database and the clock jumps past all due times; every payout settles its transfer, keeps its history and receipt ${written}; against UPDATE payment SET status, updated_at_us WHERE seq on an identical copy, 500 rows per transaction, the same pragmas; memory is the largest resident size of the process.`,
    })
  }
  return rows
}
