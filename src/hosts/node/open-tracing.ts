import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Attributes, Link, SpanContext } from '@opentelemetry/api'
import type { CallbackDomainEvent } from '../../core/model/journal.ts'
import { isRecord } from '../../core/model/must.ts'
import type { TraceContext } from '../../core/model/payment.ts'
import type { World } from '../../core/world.ts'
import type { RequestEvent } from '../../http/operation.ts'
import type { Log } from './log.ts'
import { wallNowMs } from './wall.ts'

/** Optional, because they take 28 MB: a user who wants spans installs them. */
const PACKAGES = [
  '@opentelemetry/api',
  '@opentelemetry/sdk-trace-base',
  '@opentelemetry/resources',
  '@opentelemetry/exporter-trace-otlp-http',
] as const

/**
 * Undefined without `OTEL_EXPORTER_OTLP_ENDPOINT` or `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, or when the SDK is not
 * installed, which is logged.
 */
export function openTracing(
  env: Readonly<Record<string, string | undefined>>,
  version: string,
  log: Log,
): Tracing | undefined {
  const wanted = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_ENDPOINT']
  if (!wanted || env['OTEL_SDK_DISABLED'] === 'true') return undefined
  try {
    const sdk = Object.fromEntries(PACKAGES.map((name) => [name, load(name)])) as unknown as Sdk
    return exportedSpans(sdk, env, version)
  } catch (error) {
    if (!isMissing(error)) throw error
    log.warn(
      `no spans are exported to ${wanted}: what exports them is not installed. npm install ${PACKAGES.join(' ')} where mfano is, or where it is started`,
    )
    return undefined
  }
}

function load(name: string): unknown {
  try {
    return createRequire(import.meta.url)(name)
  } catch (error) {
    if (!isMissing(error)) throw error
    return createRequire(join(process.cwd(), 'package.json'))(name)
  }
}

function isMissing(error: unknown): boolean {
  return isRecord(error) && (error['code'] === 'ERR_MODULE_NOT_FOUND' || error['code'] === 'MODULE_NOT_FOUND')
}

/** World time. A later callback begins its own trace, with a link to the request's. */
const SAME_TRACE_US = 60_000_000
const HEX = 16

/** `parent`: the span that it belongs to. `link`: the finished span that caused it. */
interface SpanDetails {
  parent: TraceContext | undefined
  link?: TraceContext | undefined
  attributes: Attributes
  failed: boolean
}

export function exportedSpans(sdk: Sdk, env: Readonly<Record<string, string | undefined>>, version: string): Tracing {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace: api } = sdk['@opentelemetry/api']
  const { BasicTracerProvider, BatchSpanProcessor } = sdk['@opentelemetry/sdk-trace-base']
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } = sdk['@opentelemetry/resources']
  const { OTLPTraceExporter } = sdk['@opentelemetry/exporter-trace-otlp-http']
  const ours = { 'service.version': version, ...(!env['OTEL_SERVICE_NAME'] && { 'service.name': 'mfano' }) }
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes(ours))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  const tracer = provider.getTracer('mfano', version)

  /** Ends now. */
  const ended = (name: string, kind: number, tookMs: number, { parent, link, attributes, failed }: SpanDetails) => {
    const endMs = wallNowMs()
    const links: Link[] = link ? [{ context: spanContext(link) }] : []
    const within = parent ? api.setSpanContext(ROOT_CONTEXT, spanContext(parent)) : ROOT_CONTEXT
    const span = tracer.startSpan(name, { kind, startTime: endMs - tookMs, attributes, links }, within)
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(endMs)
  }

  return {
    request: ({ world, requestId, operation, route, method, path, status, rule, trace, tookMs }) =>
      ended(route === undefined ? method : `${method} ${route}`, SpanKind.SERVER, tookMs, {
        parent: trace,
        attributes: {
          'http.request.method': method,
          'http.response.status_code': status,
          'url.path': path.split('?', 1)[0],
          ...(route !== undefined && { 'http.route': route }),
          'mfano.world': world,
          'mfano.request_id': requestId,
          ...(operation !== null && { 'mfano.operation': operation }),
          ...(rule !== null && { 'mfano.rule': rule }),
        },
        failed: status >= 500,
      }),
    attempt: (world, { id, uid, url, attempt }) => {
      if (!attempt) return
      const { clock, store } = world.core
      const { callbacks, payments } = store
      const { trace, paymentSeq } = callbacks.byId(id) ?? {}
      const payment = paymentSeq == null ? undefined : payments.bySeq(paymentSeq)
      const isLate = payment !== undefined && clock.now() - payment.createdAtUs > SAME_TRACE_US
      ended('POST callback', SpanKind.CLIENT, attempt.tookMs, {
        parent: isLate ? undefined : (trace ?? undefined),
        link: isLate ? (trace ?? undefined) : undefined,
        attributes: {
          'http.request.method': 'POST',
          'url.full': url.split('?', 1)[0],
          ...(attempt.status !== null && { 'http.response.status_code': attempt.status }),
          ...(attempt.error !== null && { 'error.type': attempt.diagnosis?.code ?? '_OTHER' }),
          'mfano.world': world.id,
          'mfano.callback_id': uid,
          'mfano.attempt': attempt.number,
          ...(payment && { 'mfano.kind': payment.kind, 'mfano.payment': payment.uuid }),
        },
        failed: attempt.error !== null,
      })
    },
    close: () => provider.shutdown(),
  }
}

function spanContext({ parent }: TraceContext): SpanContext {
  const [, traceId = '', spanId = '', flags = ''] = parent.split('-')
  return { traceId, spanId, traceFlags: Number.parseInt(flags, HEX), isRemote: true }
}

export interface Tracing {
  request(event: RequestEvent & { tookMs: number; route: string | undefined }): void
  attempt(world: World, event: CallbackDomainEvent): void
  close(): Promise<void>
}

export interface Sdk {
  '@opentelemetry/api': typeof import('@opentelemetry/api')
  '@opentelemetry/sdk-trace-base': typeof import('@opentelemetry/sdk-trace-base')
  '@opentelemetry/resources': typeof import('@opentelemetry/resources')
  '@opentelemetry/exporter-trace-otlp-http': typeof import('@opentelemetry/exporter-trace-otlp-http')
}
