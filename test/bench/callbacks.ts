/** Callbacks per second to a local receiver, against a bare undici loop. */
import type { Delivered, Delivering } from './deliver.ts'
import { databaseIn, filled, onCopy } from './filled.ts'
import { type Benchmark, count, inChild, interleave, median, path, ratioOf, Service } from './kit.ts'
import type { Stepping } from './step.ts'

export const callbacks: Benchmark = async (plan) => {
  const payments = plan.quick ? 5_000 : 30_000
  const receiver = await Service.start([path('test/bench/receiver.ts')])
  const due = await filled(payments, receiver.url('/callback'))
  await inChild('step.ts', { file: databaseIn(due), payments, mode: 'callbacks' } satisfies Stepping)
  const run = (mode: Delivering['mode']) =>
    onCopy(due, async (copy) => {
      const received = await receivedBy(receiver)
      const delivering: Delivering = { file: databaseIn(copy), callbacks: payments, mode }
      const result = await inChild<Delivered>('deliver.ts', delivering, { profiled: mode === 'mfano' })
      const more = (await receivedBy(receiver)) - received
      if (more !== payments) throw new Error(`${more} of ${payments} callbacks arrived`)
      return result.perSecond
    })
  await run('bare')
  const rounds = plan.quick ? 3 : 5
  const results = await interleave(
    rounds,
    () => run('mfano'),
    () => run('bare'),
  )
  await receiver.stop()
  const ratio = ratioOf(results.ours, results.baseline)
  return [
    {
      what: 'callbacks to a local receiver, against a bare undici loop',
      ours: `${count(median(results.ours))}/s`,
      baseline: `${count(median(results.baseline))}/s`,
      ratio: ratio.toFixed(2),
      budget: 'at least 0.5',
      met: ratio >= 0.5,
      how: `${count(payments)} due callbacks of a file database, read, sent, and every attempt recorded durably, against the same bodies from memory; both with 64 connections to a receiver in another process, ${rounds} interleaved rounds.`,
    },
  ]
}

async function receivedBy(receiver: Service): Promise<number> {
  return Number(await (await fetch(receiver.url('/count'))).text())
}
