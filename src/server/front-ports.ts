/** Ports that a host gives the front: dashboard and documentation files, metrics, worlds with a past. */
import type { PaymentCount } from '../core/model/payment.ts'
import type { PopulateProgress, PopulateRequest } from './populate.ts'

export interface DocFiles {
  names(): readonly string[]
  /** Paths of the files in `RECIPE_FOLDERS`. */
  recipes(): readonly string[]
  read(path: string): string
}

/** Files shipped and served for other languages and for CI. */
export const RECIPE_FOLDERS = ['clients', 'install/ci', 'test/merchants/python', 'test/merchants/typescript'] as const

/** As it is and, where that is smaller, compressed with brotli. */
export interface Asset {
  type: string
  bytes: Uint8Array<ArrayBuffer>
  brotli?: Uint8Array<ArrayBuffer>
}

export interface Assets {
  /**
   * By path below the dashboard, such as `index.html`; undefined when there is none. The first call may take seconds.
   */
  find(name: string): Promise<Asset | undefined>
  nonce(): string
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

export function assetType(name: string): string {
  return types[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
}

export type Metrics = () => Promise<{ contentType: string; text: string }>

/** Makes a world with a past, on whichever host. Gives the number of payments. */
export type Populate = (
  request: PopulateRequest,
  told: (progress: PopulateProgress) => void,
  signal: AbortSignal,
) => Promise<PaymentCount[]>
