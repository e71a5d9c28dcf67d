/** A durable, validated, journalled POST send-money: against nothing stored, and against a million payments stored. */
import { filled, filledOnce, onCopy } from './filled.ts'
import { type Benchmark, count, interleave, median, type Plan, ratioOf } from './kit.ts'
import { Target } from './target.ts'

async function compare(plan: Plan, ours: Target, baseline: Target) {
  const [rounds, seconds] = plan.quick ? [3, 2] : [6, 4]
  for (const target of [ours, baseline]) await target.load({ seconds: 2 })
  const results = await interleave(
    rounds,
    () => ours.load({ seconds }),
    () => baseline.load({ seconds }),
  )
  await ours.stop()
  await baseline.stop()
  const perSecond = { ours: results.ours.map((r) => r.perSecond), baseline: results.baseline.map((r) => r.perSecond) }
  const cpu = { ours: median(results.ours.map((r) => r.cpuUs)), baseline: median(results.baseline.map((r) => r.cpuUs)) }
  return {
    ours: `${count(median(perSecond.ours))}/s`,
    baseline: `${count(median(perSecond.baseline))}/s`,
    ratio: ratioOf(perSecond.ours, perSecond.baseline),
    how: `${rounds} interleaved rounds of ${seconds} s, 100 connections from a third process, nothing but 201 answered; processor time per request ${Math.round(cpu.ours)} µs against ${Math.round(cpu.baseline)} µs`,
  }
}

export const post: Benchmark = async (plan) => {
  const empty = await filled(0)
  const { ratio, how, ...both } = await compare(plan, await Target.mfano(empty), await Target.bare())
  return [
    {
      what: 'durable, validated, journalled `POST send-money` against bare Hono and zod',
      ...both,
      ratio: ratio.toFixed(2),
      budget: 'at least 0.4',
      met: ratio >= 0.4,
      how: `\`src/cli.ts\` on a data directory, against the same route, schema and answer on the same HTTP adapter without storage or token; ${how}.`,
    },
  ]
}

export const million: Benchmark = async (plan) => {
  const payments = plan.quick ? 100_000 : 1_000_000
  const empty = await filled(0)
  return onCopy(await filledOnce(payments), async (full) => {
    const { ratio, how, ...both } = await compare(plan, await Target.mfano(full), await Target.mfano(empty))
    return [
      {
        what: `the same with ${count(payments)} payments already in the world, against an empty one`,
        ...both,
        ratio: ratio.toFixed(2),
        budget: 'at least 0.9',
        met: ratio >= 0.9,
        how: `Two servers alike, one on a database with ${count(payments)} PENDING payments and as many journal entries; ${how}.`,
      },
    ]
  })
}
