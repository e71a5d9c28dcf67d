/** How long a single caller waits for a durable POST send-money, who asks for the next when he has the last. */
import { filled } from './filled.ts'
import { type Benchmark, interleave, median, ratioOf } from './kit.ts'
import { Target } from './target.ts'

const BUDGET = 6

export const caller: Benchmark = async (plan) => {
  const [rounds, requests] = plan.quick ? [3, 1_000] : [4, 4_000]
  const ours = await Target.mfano(await filled(0))
  const bare = await Target.bare()
  const once = async (target: Target) => (await target.load({ requests, connections: 1 })).medianMs
  for (const target of [ours, bare]) await target.load({ requests: 20_000 })
  const waits = await interleave(
    rounds,
    () => once(ours),
    () => once(bare),
  )
  for (const target of [ours, bare]) await target.stop()
  const ratio = ratioOf(waits.ours, waits.baseline)
  return [
    {
      what: 'one caller of `POST send-money`, on files, against bare Hono and zod',
      ours: `${median(waits.ours).toFixed(2)} ms`,
      baseline: `${median(waits.baseline).toFixed(2)} ms`,
      ratio: `${ratio.toFixed(1)}×`,
      budget: `at most ${BUDGET}×`,
      met: ratio <= BUDGET,
      how: `The median time from a request to its answer on one connection, ${rounds} interleaved rounds of ${requests} requests to warm servers.`,
    },
  ]
}
