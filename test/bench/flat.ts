/** What a request costs more in a large world, among many worlds, with many rules, a recording, or spans. */
import { filled, filledOnce, onCopy } from './filled.ts'
import {
  type Benchmark,
  compared,
  count,
  folder,
  interleave,
  path,
  type Row,
  ratioOf,
  Service,
  startMfano,
} from './kit.ts'
import { cpuUs, richWorld, type Target, target, warmUp } from './requests.ts'
import { pay, send } from './worlds.ts'

/** Conditions of the kinds that people write, none of which holds. */
const CONDITIONS = [
  (i: number) => `request.amount == ${i}.01`,
  (i: number) => `request.phoneNumber.endsWith("${i}x")`,
  (i: number) => `request.currencyCode == "TZS" && request.amount < ${i}`,
  (i: number) => `has(request.referenceId) && request.referenceId.startsWith("R${i}-")`,
  (i: number) => `payee.name.contains("NOBODY ${i}")`,
  (i: number) => `request.remarks.matches("^late ${i}$")`,
]

export const flat: Benchmark = async ({ quick }) => {
  const [payments, worlds, rules] = quick ? [100_000, 300, 200] : [1_000_000, 1_000, 200]
  const [rounds, requests] = quick ? [3, 8_000] : [15, 8_000]
  const plain = await target(await startMfano(await filled(0)))
  await warmUp(plain)
  const against = async (what: string, ours: Target): Promise<Row> => {
    await warmUp(ours)
    const took = await interleave(
      rounds,
      () => cpuUs(ours, { requests }),
      () => cpuUs(plain, { requests }),
    )
    await ours.service.stop()
    const { value, ...both } = compared(took, 'µs', ratioOf(took.baseline, took.ours))
    return {
      what: `\`POST send-money\` with ${what}`,
      ...both,
      figures: [{ value }],
      how: `processor time, against the same server without; ${rounds} rounds of ${count(requests)} requests`,
    }
  }
  const inRichWorld = async (change: Parameters<typeof richWorld>[1]) => {
    const service = await startMfano(folder())
    return target(service, await richWorld(service, change))
  }
  const rows = [
    await onCopy(await filledOnce(payments), async (copy) =>
      against(`${count(payments)} payments there`, await target(await startMfano(copy))),
    ),
    await against(`${count(worlds)} worlds`, await amongWorlds(worlds)),
    await against(`${rules} rules`, await inRichWorld({ rules: written(rules) })),
    await against('a recording', await inRichWorld({ record: true })),
  ]
  const collector = await Service.start([path('test/bench/receiver.ts')])
  rows.push(await against('spans', await withSpans(collector)))
  for (const service of [collector, plain.service]) await service.stop()
  return rows
}

async function amongWorlds(worlds: number): Promise<Target> {
  const service = await startMfano(await filled(0))
  for (let i = 0; i < worlds; i++) {
    await send(service, 'POST', '/_mfano/worlds', { id: `w-${i}`, clock: { mode: 'frozen' } })
    await pay(service, `w-${i}`)
  }
  return target(service)
}

function written(rules: number): string {
  const all = Array.from({ length: rules }, (_, i) => {
    const when = JSON.stringify(CONDITIONS[i % CONDITIONS.length]?.(i))
    return `  - { name: rule ${i}, on: send-money, when: ${when}, then: { after: 1s, end: FAILED } }\n`
  })
  return `rules:\n${all.join('')}`
}

/** The packages that export spans are among those of the tests. */
async function withSpans(collector: Service): Promise<Target> {
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url(), NODE_PATH: path('test/node_modules') }
  const sent = async () => Number(await (await fetch(collector.url('/count'))).text())
  const ours = await target(await startMfano(await filled(0), { env }))
  await cpuUs(ours, { requests: 1_000 })
  if ((await sent()) === 0) throw new Error('no spans were sent')
  return ours
}
