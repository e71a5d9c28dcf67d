/** What a scenario of many rules costs a payment: one decision among a hundred rules, beside one without any. */
import type { Decided, Deciding } from './deciding.ts'
import { type Benchmark, inChild, interleave, median, ratioOf } from './kit.ts'

const RULES = 100
const BUDGET_US = 50

export const decide: Benchmark = async (plan) => {
  const decisions = plan.quick ? 20_000 : 200_000
  const run = (rules: number) =>
    inChild<Decided>('deciding.ts', { rules, decisions } satisfies Deciding, { profiled: rules > 0 })
  const results = await interleave(
    3,
    () => run(RULES),
    () => run(0),
  )
  const ours = results.ours.map((r) => r.medianUs)
  const without = results.baseline.map((r) => r.medianUs)
  return [
    {
      what: `Deciding among ${RULES} rules, against a scenario without rules`,
      ours: `${median(ours).toFixed(1)} µs`,
      baseline: `${median(without).toFixed(1)} µs`,
      ratio: ratioOf(ours, without).toFixed(1),
      budget: `under ${BUDGET_US} µs`,
      met: median(ours) < BUDGET_US,
      how: `A process looks up the facts of a send-money request and asks a scenario of ${RULES} rules, of which the last decides, so that all conditions are worked out; the median of ${decisions} decisions in batches of 20, against a scenario without rules.`,
    },
  ]
}
