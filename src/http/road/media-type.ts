/** Checks the media types and charset of a request. */
import type { Refusal } from '../../core/model/refusal.ts'
import { commonReasons, type RefusalReason, refused } from '../../core/model/refusal-reasons.ts'
import type { Exchange } from '../exchange.ts'
import { assumed } from './assumed.ts'

type Asked = Pick<Exchange, 'c' | 'world' | 'notes'>

export function requireJson(exchange: Asked): void {
  const declared = exchange.c.header('content-type')?.trim() ?? ''
  if (declared === 'application/json') return
  if (!isTakenForJson(exchange, declared)) {
    const status = assumed(exchange, 'unsupported-media-type') === '400' ? 400 : 415
    const got = declared === '' ? 'nothing' : `"${declared}"`
    throw unsupported(commonReasons.mediaType, 'must be application/json', got, status)
  }
  const charset = otherCharset(exchange)
  if (charset === undefined) return
  const choice = assumed(exchange, 'other-charsets')
  if (choice === 'read-as-utf-8' || (choice === 'honoured' && decoderOf(charset))) return
  throw unsupported(commonReasons.otherCharset, 'must name UTF-8 or no charset', `"${declared}"`)
}

export function requireAcceptable(exchange: Asked): void {
  const accept = exchange.c.header('accept')
  if (accept === undefined || accept === '*/*') return
  if (/(?:^|,)\s*(?:\*\/\*|application\/(?:\*|json))\s*(?:[;,]|$)/i.test(accept)) return
  if (assumed(exchange, 'accept-header') === 'ignored') return
  throw refused(commonReasons.notAcceptable, `Accept: expected to allow application/json, got "${accept}"`, {
    fields: [{ field: 'Accept', message: 'Accept must allow application/json' }],
  })
}

export function otherDecoder(exchange: Asked): TextDecoder | undefined {
  const charset = otherCharset(exchange)
  if (charset === undefined || assumed(exchange, 'other-charsets') !== 'honoured') return undefined
  return decoderOf(charset)
}

function isTakenForJson(exchange: Asked, declared: string): boolean {
  const type = declared.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'application/json') return true
  if (type === '' && assumed(exchange, 'missing-media-type') === 'accept') return true
  if (/^application\/[\w.-]+\+json$/.test(type) && assumed(exchange, 'json-suffix-types') === 'accept') return true
  return assumed(exchange, 'unsupported-media-type') === 'accept'
}

function unsupported(reason: RefusalReason, rule: string, got: string, status = 415): Refusal {
  return refused(reason, `Content-Type: ${rule}, got ${got}`, {
    status,
    fields: [{ field: 'Content-Type', message: `Content-Type ${rule}` }],
  })
}

function otherCharset({ c }: Asked): string | undefined {
  const declared = c.header('content-type')
  if (!declared?.includes(';')) return undefined
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(declared)?.[1]
  return charset === undefined || /^utf-?8$/i.test(charset) ? undefined : charset
}

function decoderOf(charset: string): TextDecoder | undefined {
  try {
    return new TextDecoder(charset)
  } catch {
    return undefined
  }
}
