/**
 * Callback faults: how each is written, what it does, and what a correct receiver may answer. To add a fault, add a
 * record.
 */
import * as z from 'zod'
import { delay as delaySchema } from './delays.ts'
import { isRaw, parseWire } from './json.ts'
import { isRecord, keysIn } from './must.ts'
import { described, type Excludes, optional } from './problems.ts'
import { asEscape } from './text.ts'
import { type DurationUs, formatDuration } from './time.ts'

/** Orders for the outbox. A new fault is written in these terms, so the engine does not know faults by name. */
export interface DeliveryOrders {
  delayUs?: DurationUs
  drop?: true
  /** Total number of sends. The copies have the same id and go out even after a success. */
  duplicate?: number
  together?: true
  reorder?: true
  early?: true
}

/** A callback must not wait for ever for a next one that never comes. */
export const REORDER_AT_MOST_US: DurationUs = 3_600_000_000

export interface SentCallback {
  headers: Record<string, string>
  body: string
}

export type SignCallback = (as?: { secret?: 'now' | 'old'; agoS?: number }) => Record<string, string>

export interface CallbackFaultRecord<Written = unknown, Kept = Written> {
  schema: z.ZodType<Written>
  /** Gives the part that a plan keeps; by default, the value under the fault's own name. */
  read?(written: Written, draw: (delay: string) => DurationUs): DeliveryOrders
  tell(kept: Kept, orders: DeliveryOrders): string | undefined
  body?(body: object, kept: Kept): object
  /** Runs on the text of the body, before signing, so the signature fits it. */
  spell?(text: string, kept: Kept): string
  sign?(sign: SignCallback, body: string, kept: Kept): SentCallback
  /** A correct receiver may reject it, so a rejection is no finding. */
  refusable: boolean
  /**
   * The outcome that counts as tested once such a callback was sent, received, or (`attempts`) as its attempts show.
   */
  met: { outcome: string; once: 'sent' | 'received' | 'attempts' } | undefined
  excludes?: Excludes
  needsStatus?: true
}

function fault<Written, Kept = Written>(
  record: CallbackFaultRecord<Written, Kept>,
): CallbackFaultRecord<Written, Kept> {
  return record
}

const times = described(z.int().min(2).max(20), 'how often it is sent in all', 2)

const bodyFields = z.record(
  z.string().min(1).max(60),
  z.union([z.string().max(1000), z.number(), z.boolean(), z.null()]),
)

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
const spellings = {
  blanks: (text) => JSON.stringify(parseWire(text), null, 2),
  escapes: (text) =>
    text.replace(TOKEN, (token) =>
      token.startsWith('"')
        ? token.replace(ESCAPABLE, (found) => (found.startsWith('\\') ? found : asEscape(found)))
        : token,
    ),
  decimals: (text) => text.replace(TOKEN, withOneDecimalMore),
  exponents: (text) => text.replace(TOKEN, withExponent),
  order: (text) => JSON.stringify(parseWire(text), lastFirst),
} satisfies Record<string, (text: string) => string>

const spelling = z.enum(keysIn(spellings))

export function spelledAs(text: string, names: readonly (keyof typeof spellings)[]): string {
  return names.reduce((spelled, name) => spellings[name](spelled), text)
}

const SIGNATURE_OLD_S = 3600
const signatures = {
  none: (_, body) => ({ headers: {}, body }),
  'old-secret': (sign, body) => ({ headers: sign({ secret: 'old' }), body }),
  'altered-body': (sign, body) => ({ headers: sign(), body: altered(body) }),
  // Standard Webhooks receivers reject signatures older than five minutes.
  'stale-timestamp': (sign, body) => ({ headers: sign({ agoS: SIGNATURE_OLD_S }), body }),
  'missing-header': (sign, body) => {
    const { 'webhook-timestamp': _, ...headers } = sign()
    return { headers, body }
  },
} satisfies Record<string, (sign: SignCallback, body: string) => SentCallback>

export const callbackFaults = {
  delay: fault<z.infer<typeof delaySchema>, never>({
    schema: described(
      delaySchema,
      'simulated time before the first attempt, or a range that the seed draws from',
      '10m',
      '1m..1h',
    ),
    read: (written, draw) => ({ delayUs: draw(written) }),
    tell: (_, { delayUs, reorder }) =>
      delayUs === undefined || reorder ? undefined : `sent ${formatDuration(delayUs)} later`,
    refusable: false,
    met: { outcome: 'late', once: 'attempts' },
  }),
  drop: fault({
    schema: z.literal(true).describe('true: never sent; its state is dropped'),
    tell: () => 'never sent',
    refusable: false,
    met: { outcome: 'lost', once: 'attempts' },
    excludes: { why: 'what is never sent cannot go wrong otherwise' },
  }),
  duplicate: fault<number | { times: number; together?: true | undefined }, number>({
    schema: z
      .union([
        times,
        z.strictObject({
          times,
          together: optional(z.literal(true), 'true: all are sent at the same time'),
        }),
      ])
      .meta({
        description:
          'how often it is sent in all, with the same id; { times: 2, together: true } sends both at the same time',
        examples: [2, { times: 2, together: true }],
      }),
    read: (written) =>
      typeof written === 'number'
        ? { duplicate: written }
        : { duplicate: written.times, ...(written.together && { together: true }) },
    tell: (kept, { together }) => `sent ${kept} times${together ? ' at the same time' : ''}`,
    refusable: false,
    met: { outcome: 'twice', once: 'attempts' },
  }),
  reorder: fault({
    schema: z
      .literal(true)
      .describe(
        'true: the first callback is sent after the next one to the same address, at most an hour or delay later',
      ),
    tell: (_, { delayUs }) =>
      `sent after the next callback to the same address, ${formatDuration(delayUs ?? REORDER_AT_MOST_US)} later at most`,
    refusable: false,
    met: { outcome: 'out-of-order', once: 'received' },
  }),
  extra: fault({
    schema: described(
      bodyFields,
      'undocumented fields that are added to the body; existing fields stay, and set changes them',
      { channel: 'USSD', retryCount: 0 },
    ),
    tell: (kept) => `extra fields: ${Object.keys(kept).join(', ')}`,
    body: (body, kept) => ({
      ...body,
      ...Object.fromEntries(Object.entries(kept).filter(([name]) => !(name in body))),
    }),
    refusable: false,
    met: { outcome: 'unknown-fields', once: 'sent' },
  }),
  set: fault({
    schema: described(bodyFields, 'fields of the body with another value, such as a masked number', {
      phoneNumber: '2547****5678',
      amount: 1,
    }),
    tell: (kept) => `other values: ${Object.keys(kept).join(', ')}`,
    body: (body, kept) => ({ ...body, ...kept }),
    refusable: true,
    met: undefined,
  }),
  without: fault({
    schema: described(z.array(z.string().min(1).max(60)).min(1).max(100), 'fields that are left out of the body', [
      'amount',
    ]),
    tell: (kept) => `left out: ${kept.join(', ')}`,
    body: (body, kept) => Object.fromEntries(Object.entries(body).filter(([name]) => !kept.includes(name))),
    refusable: true,
    met: undefined,
  }),
  status: fault({
    schema: described(z.string().min(1).max(60), 'another status in the body', 'ON_HOLD'),
    tell: (kept) => `status ${kept}`,
    body: (body, kept) => ({ ...body, status: kept }),
    refusable: true,
    met: { outcome: 'unknown-status', once: 'sent' },
    needsStatus: true,
  }),
  spelling: fault({
    schema: described(
      z.union([spelling, z.array(spelling).min(1)]),
      'the same JSON spelled otherwise: blanks, \\u escapes, one decimal place more, numbers such as 1E3, fields in another order; a signature fits these bytes alone',
      'blanks',
      ['escapes', 'decimals'],
    ),
    tell: (kept) => `spelled with ${[kept].flat().join(' and ')}`,
    spell: (text, kept) => spelledAs(text, [kept].flat()),
    refusable: false,
    met: undefined,
  }),
  signature: fault({
    schema: z
      .enum(keysIn(signatures))
      .describe(
        'the fault of the signature: none, made with an old secret, of another body, an hour old, or without its timestamp',
      ),
    tell: (kept) => `signature: ${kept}`,
    sign: (sign, body, kept) => signatures[kept](sign, body),
    refusable: true,
    met: { outcome: 'wrong-signature', once: 'sent' },
  }),
  early: fault({
    schema: z
      .literal(true)
      .describe('true: the callback is sent before the answer to the request; the rule needs after: 0s'),
    tell: () => 'sent before the request is answered',
    refusable: false,
    met: { outcome: 'before-answer', once: 'received' },
    excludes: { names: ['delay', 'reorder'], why: 'it is either sent before the answer or later' },
  }),
}

export type CallbackFaultName = keyof typeof callbackFaults

type KeptAsWritten = {
  [Name in Exclude<CallbackFaultName, keyof DeliveryOrders | 'delay'>]?: z.infer<
    (typeof callbackFaults)[Name]['schema']
  >
}

export interface CallbackFault extends DeliveryOrders, KeptAsWritten {
  by: string
}

export function faultsIn(
  fault: Partial<CallbackFault> | null | undefined,
): { record: CallbackFaultRecord; kept: unknown }[] {
  if (!fault) return []
  const kept: Readonly<Record<string, unknown>> = { ...fault, delay: fault.delayUs }
  return Object.entries<CallbackFaultRecord>(callbackFaults).flatMap(([name, record]) =>
    kept[name] === undefined ? [] : [{ record, kept: kept[name] }],
  )
}

export function describeCallbackFault(fault: CallbackFault): string {
  return faultsIn(fault)
    .flatMap(({ record, kept }) => record.tell(kept, fault) ?? [])
    .join('; ')
}

export function mayBeRefused(fault: CallbackFault | null): boolean {
  return faultsIn(fault).some(({ record }) => record.refusable)
}

export function faultyText(body: object, fault: CallbackFault | undefined): string {
  const faults = faultsIn(fault)
  const changed = faults.reduce<object>((one, { record, kept }) => record.body?.(one, kept) ?? one, body)
  return faults.reduce((text, { record, kept }) => record.spell?.(text, kept) ?? text, JSON.stringify(changed))
}

export function sentWith(
  body: string,
  sign: SignCallback | undefined,
  fault: Partial<CallbackFault> | null,
): SentCallback {
  const signed = sign && faultsIn(fault).map(({ record, kept }) => record.sign?.(sign, body, kept))
  return signed?.find(Boolean) ?? { headers: sign?.() ?? {}, body }
}

const ESCAPABLE = /\\.|[^\w\s"\\]/g

function withOneDecimalMore(token: string): string {
  if (/^-?\d+$/.test(token)) return `${token}.0`
  return /^-?\d+\.\d+$/.test(token) ? `${token}0` : token
}

function withExponent(token: string): string {
  return token.startsWith('"') ? token : Number(token).toExponential().replace('e+', 'E').replace('e', 'E')
}

function lastFirst(_name: string, value: unknown): unknown {
  return isRecord(value) && !isRaw(value) ? Object.fromEntries(Object.entries(value).toReversed()) : value
}

function altered(body: string): string {
  const larger = body.replace(/"amount":("?)(\d)/, '"amount":$19$2')
  return larger === body ? body.replace(/\}$/, ',"altered":true}') : larger
}
