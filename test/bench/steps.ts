/** A million PENDING payments fall due: the timekeeper's steps against the least that any program could write. */
import { databaseIn, filledOnce, onCopy } from './filled.ts'
import { type Benchmark, count, inChild, interleave, median, ratioOf } from './kit.ts'
import type { Stepped, Stepping } from './step.ts'

const RSS_BUDGET_MB = 200

export const steps: Benchmark = async (plan) => {
  const payments = plan.quick ? 100_000 : 1_000_000
  const full = await filledOnce(payments)
  const run = (mode: Stepping['mode']) =>
    onCopy(full, (copy) =>
      inChild<Stepped>('step.ts', { file: databaseIn(copy), payments, mode } satisfies Stepping, {
        profiled: mode !== 'update',
      }),
    )
  const results = await interleave(
    plan.quick ? 3 : 2,
    () => run('callbacks'),
    () => run('update'),
  )
  const of = (figure: (stepped: Stepped) => number) => ({
    ours: results.ours.map(figure),
    baseline: results.baseline.map(figure),
  })
  const perSecond = of((stepped) => stepped.perSecond)
  const cpuUs = of((stepped) => stepped.cpuUs)
  const rssMb = Math.max(...results.ours.map((stepped) => stepped.rssMb))
  const rows = [
    { by: 'per second', unit: '/s', figures: perSecond, ratio: ratioOf(perSecond.ours, perSecond.baseline) },
    { by: 'processor time', unit: ' µs', figures: cpuUs, ratio: ratioOf(cpuUs.baseline, cpuUs.ours) },
  ]
  return rows.map(({ by, unit, figures, ratio }) => ({
    what: `${count(payments)} PENDING payments fall due, each with a callback, against one prepared UPDATE per row, by ${by}`,
    ours: `${count(median(figures.ours))}${unit}, ${Math.round(rssMb)} MB`,
    baseline: `${count(median(figures.baseline))}${unit}`,
    ratio: ratio.toFixed(2),
    budget: `at least 0.25, under ${RSS_BUDGET_MB} MB`,
    met: ratio >= 0.25 && rssMb < RSS_BUDGET_MB,
    how: 'A process opens the filled database and the clock jumps past all due times; every payout settles its transfer, keeps its history and receipt and writes a callback to the outbox, none of which is ever answered; against UPDATE payment SET status, updated_at_us WHERE seq on an identical copy, 480 rows per transaction, the same pragmas; processor time is that of the whole process, its start included; memory is its largest resident size.',
  }))
}
