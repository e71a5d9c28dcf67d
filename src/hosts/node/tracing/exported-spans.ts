/** Exports requests and callbacks as spans once they have ended, so that nothing waits for them. */
import type { Attributes, Link, SpanContext } from '@opentelemetry/api'
import type { TraceContext } from '../../../core/model/trace-context.ts'
import { wallNowMs } from '../wall.ts'
import type { Sdk, Tracing } from './tracing.ts'

/** World time. A later callback begins its own trace, with a link to the request's. */
const SAME_TRACE_US = 60_000_000
const HEX = 16

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

  /** Ends now. `parent`: the span that it belongs to. `link`: the finished span that caused it. */
  const ended = (
    name: string,
    kind: number,
    tookMs: number,
    {
      parent,
      link,
      attributes,
      failed,
    }: {
      parent: TraceContext | undefined
      link?: TraceContext | undefined
      attributes: Attributes
      failed: boolean
    },
  ) => {
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
          ...(rule !== undefined && { 'mfano.rule': rule }),
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
