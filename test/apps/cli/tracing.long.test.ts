/** Spans at a real receiver of OTLP over HTTP, from the real program and the real SDK. */

import { execFile } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { ServiceClient } from '../../../src/apps/testing/index.ts'
import { serving } from '../../support/listening.ts'
import { mfanoUnder } from '../../support/program.ts'

// biome-ignore lint/suspicious/noExplicitAny: OTLP as it comes
type Any = any

/** A collector: keeps what is exported to it, and what callbacks bring to `/told`. */
async function collector() {
  const exported: Any[] = []
  const told: (string | undefined)[] = []
  const url = await serving(async (request, response) => {
    const sent = await text(request)
    if (request.url === '/v1/traces') exported.push(JSON.parse(sent))
    if (request.url === '/told?secret=1') told.push(request.headers['traceparent'] as string | undefined)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  const spans = () =>
    exported.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ resource, scopeSpans }: Any) =>
        scopeSpans.flatMap((scope: Any) => scope.spans.map((span: Any) => ({ ...span, resource }))),
      ),
    )
  return { url, spans, told }
}

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'
const attributeOf = ({ attributes }: Any, key: string) =>
  Object.values(attributes.find((one: Any) => one.key === key)?.value ?? {})[0]

it('exports requests and callbacks where the environment names a place, late callbacks by a link', async () => {
  const { url, spans, told } = await collector()
  const folder = join(import.meta.dirname, '../..')
  const variables = [`OTEL_EXPORTER_OTLP_ENDPOINT=${url}`, 'OTEL_RESOURCE_ATTRIBUTES=deployment.environment.name=test']
  const program = mfanoUnder(['env', '-C', folder, ...variables], '--port', '0', '--data', ':memory:')
  const { baseUrl, credentials } = await program.ready()
  const ask = async (path: string, body: object, headers: Record<string, string> = {}, method = 'POST') => {
    const answer = await new ServiceClient(baseUrl).request(method, path, { body, headers })
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body as Any
  }
  await ask('/_mfano/clock', { mode: 'frozen' }, {}, 'PATCH')
  const { data } = await ask('/api/v1/get-token', credentials)
  const pay = (phoneNumber: string) =>
    ask(
      '/api/sandbox/v1/send-money',
      { phoneNumber, amount: 100, remarks: 'Salary', occasion: 'January', callbackUrl: `${url}/told?secret=1` },
      { authorization: `Bearer ${data.access_token}`, traceparent: `00-${TRACE}-${SPAN}-01` },
    )
  await pay('254712345678')
  await ask('/_mfano/clock/advance', { by: '1m' })
  const { callbacks } = await (await fetch(`${baseUrl}/_mfano/callbacks`)).json()
  await ask('/_mfano/clock/advance', { by: '2d' })
  await ask(`/_mfano/callbacks/${callbacks[0].id}/redeliver`, {})
  await ask('/_mfano/clock/advance', { by: '0s' })
  program.child.kill('SIGTERM')
  await program.ended

  const [token, paid, first, late] = spans()
  expect(spans().length).toBe(4)
  expect(token).toMatchObject({ name: 'POST /api/v1/get-token', kind: 2 })
  expect(token.traceId).not.toBe(TRACE)
  expect(paid).toMatchObject({ name: 'POST /api/sandbox/v1/send-money', traceId: TRACE, parentSpanId: SPAN, kind: 2 })
  expect(attributeOf(paid, 'http.response.status_code')).toBe(201)
  expect(attributeOf(paid, 'mfano.operation')).toBe('createSendMoney')
  expect(attributeOf(paid, 'mfano.world')).toBe('default')
  expect(first).toMatchObject({ name: 'POST callback', traceId: TRACE, parentSpanId: SPAN, kind: 3 })
  expect(attributeOf(first, 'url.full')).toBe(`${url}/told`)
  expect(attributeOf(first, 'mfano.kind')).toBe('send-money')
  expect(late).toMatchObject({ name: 'POST callback', links: [{ traceId: TRACE, spanId: SPAN }] })
  expect(late.traceId).not.toBe(TRACE)
  expect(late.parentSpanId ?? '').toBe('')
  expect(attributeOf(late, 'mfano.attempt')).toBe(2)
  expect(attributeOf(paid.resource, 'service.name')).toBe('mfano')
  expect(attributeOf(paid.resource, 'deployment.environment.name')).toBe('test')
  // What a merchant is sent does not depend on whether anybody watches.
  expect(told).toEqual([`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-01`])
})

it('says how to install what exports, where it is wanted and not there', async () => {
  const module = new URL('../../../src/hosts/node/open-tracing.ts', import.meta.url).href
  const script = `
    const { openTracing } = await import(${JSON.stringify(module)})
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
    const log = { warn: (message) => console.log(message) }
    for (const env of [{}, { ...endpoint, OTEL_SDK_DISABLED: 'true' }, endpoint])
      console.log(openTracing(env, '0.0.0', log))`
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { cwd: tmpdir() })
  expect((await run).stdout.trim().split('\n')).toEqual([
    'undefined',
    'undefined',
    'no spans are exported to http://127.0.0.1:4318: what exports them is not installed. npm install @opentelemetry/api @opentelemetry/sdk-trace-base @opentelemetry/resources @opentelemetry/exporter-trace-otlp-http where mfano is, or where it is started',
    'undefined',
  ])
})
