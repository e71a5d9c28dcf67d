/** What a host hands the front: files of the dashboard and the documentation, figures, other processes, worlds with a past. */
import type { ClockMode } from '../core/model/time.ts'
import type { World } from '../core/world.ts'
import type { PopulateProgress, PopulateRequest } from './populate.ts'

/** The files of documentation, on hosts that have them. */
export interface DocFiles {
  /** Of the pages in `src/docs`, such as `time.md`. */
  names(): readonly string[]
  /** The text of a file of our package, such as `src/docs/time.md`. */
  read(path: string): string
}

/** A file of the dashboard, as it is and, where that helps, compressed with brotli. */
export interface Asset {
  type: string
  bytes: Uint8Array<ArrayBuffer>
  brotli?: Uint8Array<ArrayBuffer>
}

/** The built dashboard, and what a page of it needs that nobody may guess. */
export interface Assets {
  /** A file by its name below the dashboard, such as `index.html`; undefined when there is none. The first may take seconds. */
  find(name: string): Promise<Asset | undefined>
  /** A new secret for one page's `Content-Security-Policy`. */
  nonce(): string
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/** The media type of a file. */
export function assetType(name: string): string {
  return types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
}

/** Figures of a process, as text of a type. */
export type Metrics = () => Promise<{ contentType: string; text: string }>

/** What another process says of its worlds, or why it says nothing. */
export type PeerAnswer = { address: string } & ({ worlds: readonly PeerWorld[] } | { problem: string })

export type Peers = () => Promise<readonly PeerAnswer[]>

/** A world of another process, as that one lists it. */
export interface PeerWorld {
  id: string
  process: string | null
  scenario?: string | undefined
  seed?: number | undefined
  clock?: { mode: ClockMode; rate: number; now: string } | undefined
  problem?: string | undefined
}

/** Has a world with a past made, wherever worlds are made. Gives how many payments it has. */
export type Populate = (
  request: PopulateRequest,
  told: (progress: PopulateProgress) => void,
  signal: AbortSignal,
) => Promise<ReturnType<World['core']['store']['payments']['countsByStatus']>>
