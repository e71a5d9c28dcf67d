/** A durable, validated, journalled POST send-money: against nothing stored, and against a million payments stored. */
import { filled, filledOnce, onCopy } from './filled.ts'
import { type Benchmark, count, interleave, median, type Plan, ratioOf } from './kit.ts'
import { Target } from './target.ts'

async function compare(plan: Plan, ours: Target, baseline: Target) {
  const [rounds, seconds] = plan.quick ? [3, 2] : [6, 3]
  // What a server that has just begun does is compiling.
  for (const target of [ours, baseline]) await target.load({ requests: plan.quick ? 10_000 : 20_000 })
  const results = await interleave(
    rounds,
    () => ours.load({ seconds }),
    () => baseline.load({ seconds }),
  )
  await ours.stop()
  await baseline.stop()
  const perSecond = { ours: results.ours.map((r) => r.perSecond), baseline: results.baseline.map((r) => r.perSecond) }
  const cpuUs = { ours: results.ours.map((r) => r.cpuUs), baseline: results.baseline.map((r) => r.cpuUs) }
  return {
    byRequests: {
      ours: `${count(median(perSecond.ours))}/s`,
      baseline: `${count(median(perSecond.baseline))}/s`,
      ratio: ratioOf(perSecond.ours, perSecond.baseline),
    },
    byCpu: {
      ours: `${median(cpuUs.ours).toFixed(1)} µs`,
      baseline: `${median(cpuUs.baseline).toFixed(1)} µs`,
      // What it costs more is what the ratio falls by.
      ratio: ratioOf(cpuUs.baseline, cpuUs.ours),
    },
    how: `${rounds} interleaved rounds of ${seconds} s, 100 connections from a third process, nothing but 201 answered`,
  }
}

export const post: Benchmark = async (plan) => {
  const empty = await filled(0)
  const { how, ...compared } = await compare(plan, await Target.mfano(empty), await Target.bare())
  const rows = [
    ['requests per second', compared.byRequests],
    ['processor time a request', compared.byCpu],
  ] as const
  return rows.map(([by, { ratio, ...both }]) => ({
    what: `durable, validated, journalled \`POST send-money\` against bare Hono and zod, by ${by}`,
    ...both,
    ratio: ratio.toFixed(2),
    budget: 'at least 0.4',
    met: ratio >= 0.4,
    how: `\`src/apps/cli.ts\` on a data directory, against the same route, schema and answer on the same HTTP adapter without storage or token; ${how}.`,
  }))
}

export const million: Benchmark = async (plan) => {
  const payments = plan.quick ? 100_000 : 1_000_000
  const empty = await filled(0)
  return onCopy(await filledOnce(payments), async (full) => {
    const { byRequests, how } = await compare(plan, await Target.mfano(full), await Target.mfano(empty))
    const { ratio, ...both } = byRequests
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
