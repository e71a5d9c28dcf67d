/** What happens by itself: payments that fall due, and callbacks that are sent. */
import { databaseIn, filled, filledOnce, onCopy } from './filled.ts'
import {
  type Benchmark,
  compared,
  count,
  inChild,
  interleave,
  nodeFlags,
  ownScript,
  path,
  ratioOf,
  Service,
} from './kit.ts'
import type { Worked, Working } from './work.ts'

function work(mode: Working['mode'], directory: string, payments: number): Promise<Worked> {
  const working: Working = { mode, file: databaseIn(directory), payments }
  return inChild(path('test/bench/work.ts'), working, mode === 'step' || mode === 'deliver' ? nodeFlags() : [])
}

export const steps: Benchmark = async ({ quick }) => {
  const [rounds, payments] = quick ? [3, 50_000] : [2, 400_000]
  const full = await filledOnce(payments)
  let residentMb = 0
  const run = (mode: 'step' | 'update') => () =>
    onCopy(full, async (copy) => {
      const worked = await work(mode, copy, payments)
      if (mode === 'step') residentMb = Math.max(residentMb, worked.residentMb)
      return worked.cpuUs
    })
  const took = await interleave(rounds, run('step'), run('update'))
  const { value, ...both } = compared(took, 'µs', ratioOf(took.baseline, took.ours))
  return [
    {
      what: `${count(payments)} payments fall due with callbacks, by processor time · largest resident size`,
      ...both,
      figures: [
        { value, least: 0.2 },
        { value: residentMb, unit: ' MB', most: 200 },
      ],
      how: `a process whose clock jumps past all due times, against one UPDATE a row in commits of as many on a copy; ${rounds} rounds`,
    },
  ]
}

export const callbacks: Benchmark = async ({ quick }) => {
  const [rounds, payments] = quick ? [3, 5_000] : [4, 20_000]
  const receiver = await Service.start([ownScript('receiver.ts')])
  const due = await filled(payments, receiver.url('/callback'))
  await work('step', due, payments)
  const run = (mode: 'deliver' | 'undici') => () =>
    onCopy(due, async (copy) => {
      const before = await receivedBy(receiver)
      const { perSecond } = await work(mode, copy, payments)
      const more = (await receivedBy(receiver)) - before
      if (more !== payments) throw new Error(`${more} of ${payments} callbacks arrived`)
      return perSecond
    })
  await run('undici')()
  const took = await interleave(rounds, run('deliver'), run('undici'))
  await receiver.stop()
  const { value, ...both } = compared(took, '/s', ratioOf(took.ours, took.baseline))
  return [
    {
      what: 'callbacks to a receiver, a second',
      ...both,
      figures: [{ value, least: 0.65 }],
      how: `${count(payments)} of a file database, each attempt recorded, against the same bodies sent by bare undici; 64 connections, ${rounds} rounds`,
    },
  ]
}

async function receivedBy(receiver: Service): Promise<number> {
  return Number(await (await fetch(receiver.url('/count'))).text())
}
