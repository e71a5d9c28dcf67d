/** Making a world, as a test suite does for every test. */
import { type Benchmark, folder, median, percentile, type Row, type Service, startMfano } from './kit.ts'

export const world: Benchmark = async (plan) => {
  const rounds = plan.quick ? 100 : 400
  const servers = [
    { where: 'on files', service: await startMfano(folder()), tookMs: [] as number[] },
    { where: 'in memory', service: await startMfano(':memory:'), tookMs: [] as number[] },
  ]
  for (const { service } of servers) await make(service, 'warm-up')
  for (let round = 0; round < rounds; round++) {
    for (const { service, tookMs } of servers) tookMs.push(await make(service, `bench-${round}`))
  }
  const rows: Row[] = []
  for (const { where, service, tookMs } of servers) {
    await service.stop()
    rows.push({
      what: `making a world, ${where}`,
      ours: `${median(tookMs).toFixed(1)} ms, p99 ${percentile(tookMs, 0.99).toFixed(1)} ms`,
      baseline: '',
      ratio: `${median(tookMs).toFixed(1)} ms`,
      budget: 'under 5 ms',
      met: median(tookMs) < 5,
      how: `POST /_mfano/worlds until its answer, ${rounds} times one after the other on one connection, each world removed again; the first of the process is left out.`,
    })
  }
  return rows
}

async function make(service: Service, id: string): Promise<number> {
  const startedMs = performance.now()
  const answer = await fetch(service.url('/_mfano/worlds'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id, clock: { mode: 'frozen', start: '2025-01-24T16:28:00' } }),
  })
  await answer.arrayBuffer()
  const tookMs = performance.now() - startedMs
  if (answer.status !== 201) throw new Error(`making a world answered ${answer.status}`)
  const removed = await fetch(service.url(`/_mfano/worlds/${id}`), { method: 'DELETE' })
  await removed.arrayBuffer()
  return tookMs
}
