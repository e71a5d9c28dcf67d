/** Traces requests and callbacks with the OpenTelemetry SDK. */
import type { CallbackDomainEvent } from '../../../core/model/domain-event.ts'
import type { World } from '../../../core/world.ts'
import type { RequestEvent } from '../../../http/http-service.ts'

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
