/** Settling three days of retries, against bare loops that make the same attempts at a receiver that refuses them. */
import { databaseIn, filled, onCopy } from './filled.ts'
import { type Benchmark, count, inChild, interleave, median, path, ratioOf, Service } from './kit.ts'
import type { Settled, Settling } from './settling.ts'

/** After the first attempt: 10 s to a day apart, 68 hours in all. */
const BACKOFF = ['10s', '1m', '10m', '1h', '6h', '1d', '1d', '13h']
const MODES = {
  together: {
    share: 1,
    apartUs: 0,
    what: 'against a bare loop that makes the same attempts',
    how: 'All were made in one instant, so up to 64 attempts are under way at once, on either side. The baseline sends the same bodies as often and keeps nothing: less cannot be done by anybody who really calls the receivers.',
  },
  apart: {
    // One after the other takes long, and the ratio is the same.
    share: 0.2,
    apartUs: 1_000,
    what: 'each at its own instants, against a bare loop that keeps one row for each attempt',
    how: 'Each was made a millisecond after the other, so no two attempts are under way at once, on either side. The baseline sends the same bodies as often and commits one row behind each, as durable as ours, because nobody who goes in order may go on before.',
  },
} as const
/** Less than the half that deliveries alone are to reach: steps, order and the list come on top. */
const BUDGET = 0.4

export const settle: Benchmark = async (plan) => {
  const receiver = await Service.start([path('test/bench/receiver.ts'), '503'])
  const rows = []
  for (const { share, apartUs, what, how } of Object.values(MODES)) {
    const payments = (plan.quick ? 200 : 1_000) * share
    const made = await filled(payments, receiver.url('/callback'), { backoff: BACKOFF, apartUs })
    const run = (side: Settling['side']) =>
      onCopy(made, async (copy) => {
        const settling: Settling = {
          file: databaseIn(copy),
          payments,
          attempts: BACKOFF.length + 1,
          side,
          url: receiver.url('/callback'),
          concurrency: apartUs === 0 ? 64 : 1,
        }
        return inChild<Settled>('settling.ts', settling, { profiled: side === 'mfano' })
      })
    await run('bare')
    const rounds = plan.quick ? 3 : 5
    const results = await interleave(
      rounds,
      () => run('mfano'),
      () => run('bare'),
    )
    const seconds = (all: readonly Settled[]) => all.map(({ tookMs }) => tookMs / 1000)
    const ratio = ratioOf(seconds(results.baseline), seconds(results.ours))
    rows.push({
      what: `settling three days of retries for ${count(payments)} payments, ${what}`,
      ours: `${median(seconds(results.ours)).toFixed(1)} s`,
      baseline: `${median(seconds(results.baseline)).toFixed(1)} s`,
      ratio: ratio.toFixed(2),
      budget: `at least ${BUDGET}`,
      met: ratio >= BUDGET,
      how: `${count(payments)} PENDING payments of a file database are settled by their plan and told ${BACKOFF.length + 1} times each to a receiver in another process that answers 503, ${count(payments * (BACKOFF.length + 1))} attempts over 68 hours of simulated time, every step and attempt durable and in order, with a list of what happened. ${how} The ratio is that of times, bare to ours; ${rounds} interleaved rounds.`,
    })
  }
  await receiver.stop()
  return rows
}
