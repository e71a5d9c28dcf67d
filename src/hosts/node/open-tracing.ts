/** Exports spans with the OpenTelemetry SDK, where a user installed it. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isRecord } from '../../core/model/must.ts'
import type { Log } from './log.ts'
import { exportedSpans } from './tracing/exported-spans.ts'
import type { Sdk, Tracing } from './tracing/tracing.ts'

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
export async function openTracing(
  env: Readonly<Record<string, string | undefined>>,
  version: string,
  log: Pick<Log, 'warn'>,
): Promise<Tracing | undefined> {
  const wanted = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_ENDPOINT']
  if (!wanted || env['OTEL_SDK_DISABLED'] === 'true') return undefined
  try {
    const loaded = await Promise.all(PACKAGES.map(async (name) => [name, await load(name)]))
    const sdk: Sdk = Object.fromEntries(loaded)
    return exportedSpans(sdk, env, version)
  } catch (error) {
    if (!isMissing(error)) throw error
    log.warn(
      `no spans are exported to ${wanted}: what exports them is not installed. npm install ${PACKAGES.join(' ')} where mfano is, or where it is started`,
    )
    return undefined
  }
}

async function load(name: string): Promise<unknown> {
  try {
    return await import(name)
  } catch (error) {
    if (!isMissing(error)) throw error
    const found = createRequire(join(process.cwd(), 'package.json')).resolve(name)
    return import(pathToFileURL(found).href)
  }
}

function isMissing(error: unknown): boolean {
  return isRecord(error) && (error['code'] === 'ERR_MODULE_NOT_FOUND' || error['code'] === 'MODULE_NOT_FOUND')
}
