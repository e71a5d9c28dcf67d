/** What stays in memory of a server that took many payments: nothing of them should. */
import { filled } from './filled.ts'
import { type Benchmark, count } from './kit.ts'
import { Target } from './target.ts'

const BUDGET_MB = 200

export const memory: Benchmark = async (plan) => {
  const payments = plan.quick ? 40_000 : 200_000
  const target = await Target.mfano(await filled(0))
  await target.load({ requests: payments / 2 })
  const halfwayMb = target.service.residentMb()
  await target.load({ requests: payments / 2 })
  const endMb = target.service.residentMb()
  await target.stop()
  return [
    {
      what: `resident memory after ${count(payments)} payments, on files`,
      ours: `${Math.round(endMb)} MB, ${Math.round(halfwayMb)} MB after half of them`,
      baseline: '',
      ratio: `${Math.round(endMb)} MB`,
      budget: `under ${BUDGET_MB} MB`,
      met: endMb < BUDGET_MB,
      how: '`src/apps/cli.ts` with the flags of `npm start` on a data directory; durable POST send-money from 100 connections; the resident size that the system tells afterwards.',
    },
  ]
}
