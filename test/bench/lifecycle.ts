/** The whole life of payments under load: made, stepped, and told to an inbox of mfano's own. */
import { type Benchmark, count, folder, interleave, median, ratioOf, startMfano } from './kit.ts'
import { Target } from './target.ts'

/** How often to look whether all were told, in milliseconds. */
const LOOK_MS = 500

export const lifecycle: Benchmark = async (plan) => {
  // As many as the wallets of a new world pay for.
  const [rounds, requests] = plan.quick ? [3, 4_000] : [4, 15_000]
  const ours = await Target.on(await startMfano(folder()))
  const bare = await Target.bare()
  const callbackUrl = ours.service.url('/_mfano/inbox/bench')
  let told = 0
  const lived = async (): Promise<number> => {
    const before = ours.service.cpuMs() ?? Number.NaN
    await ours.load({ requests, callbackUrl })
    told += requests
    while ((await attempts(ours)) < told) await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    return (((ours.service.cpuMs() ?? Number.NaN) - before) * 1000) / requests
  }
  const posted = async () => (await bare.load({ requests: requests * 2 })).cpuUs
  await lived()
  await posted()
  const cpuUs = await interleave(rounds, lived, posted)
  for (const target of [ours, bare]) await target.stop()
  const ratio = ratioOf(cpuUs.baseline, cpuUs.ours)
  return [
    {
      what: '`POST send-money` with every payment stepped and its callback delivered to an inbox of mfano, against bare Hono and zod, by processor time',
      ours: `${median(cpuUs.ours).toFixed(1)} µs`,
      baseline: `${median(cpuUs.baseline).toFixed(1)} µs`,
      ratio: ratio.toFixed(2),
      budget: 'at least 0.25',
      met: ratio >= 0.25,
      how: `\`src/apps/cli.ts\` on a data directory, its clock running; ${rounds} rounds of ${count(requests)} requests from 100 connections, each round until every payment was told; processor time of the server for each payment, which also answers for the inbox, against that of the bare server for each request.`,
    },
  ]
}

/** Tries at telling that were accepted since the server began. */
async function attempts({ service }: Target): Promise<number> {
  const text = await (await fetch(service.url('/_mfano/metrics'))).text()
  return Number(/^mfano_callback_attempts_total\{result="accepted"\} (\d+)$/m.exec(text)?.[1] ?? 0)
}
