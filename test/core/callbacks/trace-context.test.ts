import { expect, it } from 'vitest'
import { readTraceContext } from '../../../src/http/exchange.ts'
import { payoutTo } from '../../support/bodies.ts'
import { assuming } from '../../support/contract.ts'
import { useBench } from '../../support/harness.ts'

const bench = useBench()

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`
const API = '/api/sandbox/v1'

/** Pays with these headers; gives those of the callback that belong to a trace. */
async function toldOf(headers: Record<string, string>, choices = {}) {
  const world = await bench.world(assuming(choices))
  const body = payoutTo(bench.receiver.url())
  const paid = await world.post(`${API}/send-money`, body, { headers })
  expect(paid.status, paid.text).toBe(201)
  await world.advance('1m')
  const { traceparent, tracestate } = bench.receiver.received.at(-1)?.headers ?? {}
  return { world, told: { traceparent, tracestate } }
}

it('keeps the trace context of a request with its payment, and sends it with every callback', async () => {
  let nth = 0
  bench.receiver.answer = () => (nth++ === 0 ? 503 : 200)
  const { world, told } = await toldOf({ traceparent: PARENT, tracestate: 'vendor=1,other=2' })
  expect(told).toEqual({ traceparent: PARENT, tracestate: 'vendor=1,other=2' })
  expect(bench.receiver.received.map(({ headers }) => headers['traceparent'])).toEqual([PARENT, PARENT])
  // A fork goes on with it.
  const fork = await bench.world({ from: world.id })
  const { callbacks } = await fork.control('GET', '/callbacks')
  await fork.control('POST', `/callbacks/${callbacks[0].id}/redeliver`)
  await fork.advance('0s')
  expect(bench.receiver.received.at(-1)?.headers['traceparent']).toBe(PARENT)
})

it('sends none where the request brought none', async () => {
  const { told } = await toldOf({})
  expect(told).toEqual({})
})

it('ignores what is malformed, and takes the request all the same', async () => {
  const { told } = await toldOf({ traceparent: `00-${TRACE}-0000000000000000-01`, tracestate: 'vendor=1' })
  expect(told).toEqual({})
})

it.each([
  [PARENT, PARENT],
  // A later version: what this one knows of it is passed on, as this one.
  [`cc-${TRACE}-00f067aa0ba902b7-01-what-comes-after`, PARENT],
  [`00-${TRACE}-00f067aa0ba902b7-00`, `00-${TRACE}-00f067aa0ba902b7-00`],
  [`ff-${TRACE}-00f067aa0ba902b7-01`, undefined],
  [`00-${TRACE}-00f067aa0ba902b7-01-more`, undefined],
  [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, undefined],
  [`00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`, undefined],
  [`00-${TRACE}-00f067aa0ba902b7`, undefined],
  [`${PARENT}, ${PARENT}`, undefined],
  ['', undefined],
])('reads %s as the recommendation has it', (given, parent) => {
  expect(readTraceContext(given, () => undefined)?.parent).toBe(parent)
})

it('keeps a state that everybody has to pass on, and no longer one', () => {
  expect(readTraceContext(PARENT, () => 'a=1')).toEqual({ parent: PARENT, state: 'a=1' })
  expect(readTraceContext(PARENT, () => `a=${'x'.repeat(511)}`)).toEqual({ parent: PARENT })
})
