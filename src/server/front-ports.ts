import type { ServerWorlds, Worlds } from '../core/worlds.ts'
import type { RequestEvent } from '../http/operation.ts'

export interface FrontOptions {
  worlds: Worlds
  server?: ServerWorlds
  adminToken: string | undefined
  publicUrl: string | undefined
  trustProxy?: boolean
  /** After an answer; `tookMs`: real milliseconds. */
  observe(event: RequestEvent, tookMs: number): void
  nowMs(): number
  version: string
  agents?: AnswerAgent
  metrics?: Metrics
  /** Worlds below another's address stay until that is deleted, so that a judge can read them. */
  keepsBelow?: boolean
  /** The certificate of the authority that issued the server's own, as PEM, where the host serves HTTPS itself. */
  authority?: string
  /** Files of the dashboard: without them, it says how to build it. The first call may take seconds. */
  assets?: BuiltFiles
  docs?: BuiltFiles
}

export type AnswerAgent = (
  request: Request,
  backend: { baseUrl: string; version: string; adminToken: string | undefined; fetch: typeof fetch },
) => Promise<Response>

/** `gzip`: the same compressed, where the host does not do so itself. */
export interface Asset {
  type: string
  bytes: Uint8Array<ArrayBuffer>
  gzip?: Uint8Array<ArrayBuffer>
}

/** Built files, by path below their folder, such as `index.html`; undefined when there is none. */
export interface BuiltFiles {
  find(name: string): Promise<Asset | undefined>
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  json: 'application/json',
  tar: 'application/x-tar',
}

export function assetType(name: string): string {
  return types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
}

export type Metrics = () => Promise<{ contentType: string; text: string }>
