import { expect, it } from 'vitest'
import { alarms } from '../../support/alarms.ts'
import { controlDocument } from '../../support/control-check.ts'
import { useBench } from '../../support/harness.ts'

const bench = useBench()
const time = alarms()
const timed = useBench({ time })
const guarded = useBench({ settings: ['--admin-token', 's3cret'] })

/** The figures of a process, by name and labels as they stand in the text. */
async function scrape(baseUrl: string, headers = {}) {
  const answer = await fetch(`${baseUrl}/_mfano/metrics`, { headers })
  expect(answer.status).toBe(200)
  const text = await answer.text()
  const lines = text.split('\n')
  // Each line is what the format knows, whatever was there to count.
  const known =
    /^(?:# (?:HELP|TYPE) \w+ .+|[a-zA-Z_:][\w:]*(?:\{[^{}]+\})? (?:[+-]?(?:\d[\d.]*(?:e[+-]?\d+)?|Inf)|NaN))$/
  expect(lines.filter((line) => line !== '' && !known.test(line))).toEqual([])
  const figures = new Map(
    lines
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
  return { type: answer.headers.get('content-type'), lines, figure: (name: string) => figures.get(name) ?? 0 }
}

it('counts what the process does, in the text that Prometheus reads', async () => {
  const before = await scrape(bench.simulator.baseUrl)
  expect(before.type).toBe('text/plain; version=0.0.4; charset=utf-8')
  const world = await bench.world()
  await bench.pay(world)
  bench.receiver.answer = (() => {
    let nth = 0
    return () => (nth++ === 0 ? 500 : 200)
  })()
  await world.advance('1m')
  await bench.pay(world, { callbackUrl: 'http://127.0.0.1:1/nobody' })
  await world.advance('3s')
  await world.post('/api/sandbox/v1/send-money', { amount: 'much' })
  await world.raw('GET', '/api/nowhere')

  const after = await scrape(bench.simulator.baseUrl)
  const more = (name: string) => after.figure(name) - before.figure(name)
  expect(more('mfano_requests_total{operation="createSendMoney",status="201"}')).toBe(2)
  expect(more('mfano_requests_total{operation="createSendMoney",status="400"}')).toBe(1)
  expect(more('mfano_requests_total{operation="getToken",status="200"}')).toBe(1)
  expect(more('mfano_requests_total{operation="none",status="404"}')).toBe(1)
  expect(more('mfano_request_duration_seconds_count')).toBe(5)
  expect(more('mfano_request_duration_seconds_bucket{le="+Inf"}')).toBe(5)
  expect(more('mfano_request_duration_seconds_sum')).toBeGreaterThan(0)
  expect(more('mfano_steps_total')).toBe(2)
  expect(more('mfano_callback_attempts_total{result="accepted"}')).toBe(1)
  expect(more('mfano_callback_attempts_total{result="rejected"}')).toBe(1)
  expect(more('mfano_callback_attempts_total{result="unanswered"}')).toBe(1)
  expect(more('mfano_callback_duration_seconds_count')).toBe(3)
  expect(more('mfano_commit_batch_size_count')).toBeGreaterThan(8)
  expect(more('mfano_commit_batch_size_sum')).toBeGreaterThanOrEqual(more('mfano_commit_batch_size_count'))
  expect(more('mfano_worlds{state="known"}')).toBe(1)
  expect(more('mfano_worlds{state="open"}')).toBe(1)
  expect(after.figure('process_cpu_seconds_total')).toBeGreaterThan(0)
  expect(after.figure('process_resident_memory_bytes')).toBeGreaterThan(1e6)
  const told = after.lines.filter((line) => /^# (?:HELP|TYPE) mfano_/.test(line))
  expect(told.length).toBe(18)
  // What `promtool check metrics` refuses.
  expect(after.lines.filter((line) => /^# TYPE \w+_total (?!counter)/.test(line))).toEqual([])
})

it('tells how belated the worst world is in real seconds, and of one whose clock stands nothing', async () => {
  const lag = async () => (await scrape(timed.simulator.baseUrl)).figure('mfano_agenda_lag_seconds{lane="deliveries"}')
  const arrived = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<number>()
  timed.receiver.answer = () => {
    arrived.resolve()
    return answered.promise
  }
  const world = await timed.world({ clock: { mode: 'scaled', rate: 60 } })
  await timed.pay(world)
  expect(await lag()).toBe(0)
  time.pass(1000)
  await arrived.promise
  time.pass(3000)
  expect(await lag()).toBeCloseTo(3, 5)
  await world.control('PATCH', '/clock', { mode: 'frozen' })
  expect(await lag()).toBe(0)
  answered.resolve(200)
  await world.advance('0s')
})

it('is guarded by the admin token, and asked for at the server, not below a world', async () => {
  const { baseUrl } = guarded.simulator
  expect((await fetch(`${baseUrl}/_mfano/metrics`)).status).toBe(401)
  await scrape(baseUrl, { authorization: 'Bearer s3cret' })
  const world = await bench.world()
  const below = await fetch(`${world.baseUrl}/_mfano/metrics`)
  expect(below.status).toBe(404)
  expect((await below.json()).error.details).toBe(
    `metrics are those of the whole process: GET ${bench.simulator.baseUrl}/_mfano/metrics, not below a world`,
  )
})

it('stands in the contract of the control plane, with its media type', () => {
  expect(JSON.stringify(controlDocument().paths['/_mfano/metrics']?.['get'])).toContain('text/plain')
})
