/** What is told to a tracing system, and what of the official SDK tells it. */
import type { CallbackDomainEvent } from '../../../core/model/domain-event.ts'
import type { World } from '../../../core/world.ts'
import type { RequestEvent } from '../../../http/http-service.ts'

/** What becomes a span. */
export interface Tracing {
  /** An answered request to the service; its operation's path, where one answered. */
  request(event: RequestEvent & { tookMs: number; route: string | undefined }): void
  /** A try at telling a merchant has ended. */
  attempt(world: World, event: CallbackDomainEvent): void
  /** Exports what has not been yet. */
  close(): Promise<void>
}

/** Modules of the SDK, by the names of their packages. */
export interface Sdk {
  '@opentelemetry/api': typeof import('@opentelemetry/api')
  '@opentelemetry/sdk-trace-base': typeof import('@opentelemetry/sdk-trace-base')
  '@opentelemetry/resources': typeof import('@opentelemetry/resources')
  '@opentelemetry/exporter-trace-otlp-http': typeof import('@opentelemetry/exporter-trace-otlp-http')
}
