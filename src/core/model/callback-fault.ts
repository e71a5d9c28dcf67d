/**
 * What goes wrong on purpose with telling a merchant about one payment: a record for each such fault says how a scenario
 * writes it, what it does, how it is told, and what a right receiver may answer. A new fault is one more record here.
 */
import * as z from 'zod'
import { delay as delaySchema, retry as retrySchema } from './delay-schemas.ts'
import { type Delay, parseDelay } from './delays.ts'
import { type DurationUs, formatDuration, parseDuration } from './time.ts'

/** What the outbox is told to do. Records turn what a scenario says into these; the engine carries them out. */
export interface DeliveryOrders {
  /** World time before the first attempt; with `reorder`, how long it waits at most. */
  delayUs?: DurationUs
  /** It is written to the outbox and never sent. */
  drop?: true
  /** How often it is sent in all: again after it was received, with the same id. */
  duplicate?: number
  /** All of those leave at the same time instead. */
  together?: true
  /** The payment's first callback waits until the next one to the same address has gone. */
  reorder?: true
  /** The payment ends, and the merchant is told, before the request that made it is answered. */
  early?: true
  /** In place of the scenario's retry policy. */
  retry?: { attempts?: number; backoffUs?: DurationUs[] }
}

/** A callback that waits for the next one goes by itself after this much world time. */
export const REORDER_AT_MOST_US: DurationUs = 3_600_000_000

/** What leaves for the receiver. */
export interface SentCallback {
  headers: Record<string, string>
  body: string
}

/** Makes the headers of a signature: by default with the secret of now, at the present, for the body as it stands. */
export type SignCallback = (as?: { secret?: 'now' | 'old'; agoS?: number }) => Record<string, string>

/** All that is said and done about one fault. `Written`: as a scenario writes it. `Kept`: as a payment's plan keeps it. */
export interface CallbackFaultRecord<Written = unknown, Kept = Written> {
  /** With its words for editors and the documentation. */
  schema: z.ZodType<Written>
  /** What a plan keeps of it; itself, under its own name, without this. A text instead is a problem. */
  read?(written: Written): Partial<UndrawnCallbackFault> | string
  /** In words, for lists: `sent 2 times`; undefined where another fault beside it says so. */
  tell(kept: Kept, orders: DeliveryOrders): string | undefined
  /** What the scenario's own list says after its name. */
  print?(kept: Kept): string
  /** Changes the body before it is signed. */
  body?(body: object, kept: Kept): object
  /** Signs wrongly, where callbacks are signed. */
  sign?(sign: SignCallback, body: string, kept: Kept): SentCallback
  /** Changes what leaves, behind its signature. */
  send?(sent: SentCallback, kept: Kept): SentCallback
  /** A right receiver may turn it away: that it did is no finding. */
  refusable: boolean
  /** What an app has met, by name, once such a callback was sent, received, or (`attempts`) as its attempts show. */
  met: { outcome: string; once: 'sent' | 'received' | 'attempts' } | undefined
  /** It cannot stand beside these; without names, beside nothing. */
  excludes?: { names?: readonly string[]; why: string }
  /** It says something about the status, which the callbacks of some kinds do not have. */
  needsStatus?: true
}

function fault<Written, Kept = Written>(
  record: CallbackFaultRecord<Written, Kept>,
): CallbackFaultRecord<Written, Kept> {
  return record
}

const times = z
  .int()
  .min(2)
  .max(20)
  .meta({ description: 'how often it is sent in all', examples: [2] })

const SIGNATURE_OLD_S = 3600
/** How a signature is wrong. */
const signatures = {
  none: (_, body) => ({ headers: {}, body }),
  'old-secret': (sign, body) => ({ headers: sign({ secret: 'old' }), body }),
  'altered-body': (sign, body) => ({ headers: sign(), body: altered(body) }),
  // Standard Webhooks receivers turn away what is older than five minutes.
  'stale-timestamp': (sign, body) => ({ headers: sign({ agoS: SIGNATURE_OLD_S }), body }),
  'missing-header': (sign, body) => {
    const { 'webhook-timestamp': _, ...headers } = sign()
    return { headers, body }
  },
} satisfies Record<string, (sign: SignCallback, body: string) => SentCallback>
export type SignatureFault = keyof typeof signatures

export const callbackFaults = {
  delay: fault<z.infer<typeof delaySchema>, never>({
    schema: delaySchema.meta({
      description: 'simulated time before the first attempt, or a range that the seed draws from',
      examples: ['10m', '1m..1h'],
    }),
    read: (written) => {
      const delay = parseDelay(written)
      return typeof delay === 'string' ? delay : { delay }
    },
    tell: (_, { delayUs, reorder }) =>
      delayUs === undefined || reorder ? undefined : `sent ${formatDuration(delayUs)} later`,
    refusable: false,
    met: { outcome: 'late', once: 'attempts' },
  }),
  drop: fault({
    schema: z.literal(true).meta({ description: 'never send it; the outbox shows it as dropped' }),
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
          together: z.literal(true).optional().meta({
            description: 'all of them leave at the same time, so a receiver works on them side by side',
          }),
        }),
      ])
      .meta({
        description:
          'how often it is sent in all, with the same id: again after it was received, or { times: 2, together: true } at the same time',
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
    schema: z.literal(true).meta({
      description:
        "hold the payment's first callback until the next one to the same address has gone, at most an hour (or delay) of simulated time",
    }),
    tell: (_, { delayUs }) =>
      `sent after the next callback to the same address, ${formatDuration(delayUs ?? REORDER_AT_MOST_US)} later at most`,
    refusable: false,
    met: { outcome: 'out-of-order', once: 'received' },
  }),
  extra: fault({
    schema: z
      .record(z.string().min(1).max(60), z.union([z.string().max(1000), z.number(), z.boolean(), z.null()]))
      .meta({
        description: 'fields that nobody announced, added behind the others; fields of the same name stay as they are',
        examples: [{ channel: 'USSD', retryCount: 0 }],
      }),
    tell: (kept) => `extra fields: ${Object.keys(kept).join(', ')}`,
    print: (kept) => `extra ${Object.keys(kept).join(' and ')}`,
    body: (body, kept) => ({
      ...body,
      ...Object.fromEntries(Object.entries(kept).filter(([name]) => !(name in body))),
    }),
    refusable: false,
    met: { outcome: 'unknown-fields', once: 'sent' },
  }),
  status: fault({
    schema: z
      .string()
      .min(1)
      .max(60)
      .meta({ description: 'a word in the place of the status', examples: ['ON_HOLD'] }),
    tell: (kept) => `status ${kept}`,
    body: (body, kept) => ({ ...body, status: kept }),
    refusable: true,
    met: { outcome: 'unknown-status', once: 'sent' },
    needsStatus: true,
  }),
  signature: fault({
    schema: z.enum(Object.keys(signatures) as SignatureFault[]).meta({
      description:
        'what is wrong with the signature, where callbacks are signed: none at all, made with an old secret, over another body than is sent, an hour old, or without its timestamp header',
    }),
    tell: (kept) => `signature: ${kept}`,
    sign: (sign, body, kept) => signatures[kept](sign, body),
    refusable: true,
    met: { outcome: 'wrong-signature', once: 'sent' },
  }),
  retry: fault<z.infer<ReturnType<typeof retrySchema>>, NonNullable<DeliveryOrders['retry']>>({
    schema: retrySchema(['10s', '1m'], "in place of the scenario's retry policy"),
    read: ({ attempts, backoff }) => ({
      retry: {
        ...(attempts !== undefined && { attempts }),
        ...(backoff && { backoffUs: backoff.map((text) => parseDuration(text) as DurationUs) }),
      },
    }),
    tell: () => 'retried by a policy of its own',
    refusable: false,
    met: undefined,
  }),
  early: fault({
    schema: z.literal(true).meta({
      description:
        'the payment ends at once, and the merchant is told before the request that made it is answered; a rule says after: 0s beside it',
    }),
    tell: () => 'sent before the request is answered',
    refusable: false,
    met: { outcome: 'before-answer', once: 'received' },
    excludes: { names: ['delay', 'reorder'], why: 'it is either sent before the answer or later' },
  }),
}

export type CallbackFaultName = keyof typeof callbackFaults

/** Faults that a plan keeps as they are written. */
type KeptAsWritten = {
  [Name in Exclude<CallbackFaultName, keyof DeliveryOrders | 'delay'>]?: z.infer<
    (typeof callbackFaults)[Name]['schema']
  >
}

/** What goes wrong with telling the merchant about one payment, as its plan keeps it. */
export interface CallbackFault extends DeliveryOrders, KeptAsWritten {
  /** The rule or fault that says so. */
  by: string
}

/** A callback's fault whose delay is still to be drawn. */
export type UndrawnCallbackFault = Omit<CallbackFault, 'by' | 'delayUs'> & { delay?: Delay }

/** The records of the faults that a callback has, each with what is kept of it. */
export function faultsIn(
  fault: Partial<CallbackFault> | null | undefined,
): { record: CallbackFaultRecord; kept: unknown }[] {
  if (!fault) return []
  const kept = { ...fault, delay: fault.delayUs } as Readonly<Record<string, unknown>>
  return Object.entries(callbackFaults).flatMap(([name, record]) =>
    kept[name] === undefined ? [] : [{ record: record as unknown as CallbackFaultRecord, kept: kept[name] }],
  )
}

/** In words, for lists: `sent 2 times; extra fields: memo`. */
export function describeCallbackFault(fault: CallbackFault): string {
  return faultsIn(fault)
    .flatMap(({ record, kept }) => record.tell(kept, fault) ?? [])
    .join('; ')
}

/** Whether a right receiver may turn it away. */
export function mayBeRefused(fault: CallbackFault | null): boolean {
  return faultsIn(fault).some(({ record }) => record.refusable)
}

/** The body with what a fault changes in it. It is signed like this, so the signature fits. */
export function alterBody(body: object, fault: CallbackFault | undefined): object {
  return faultsIn(fault).reduce<object>((changed, { record, kept }) => record.body?.(changed, kept) ?? changed, body)
}

/** What leaves: signed well or as a fault says, and changed behind that. `sign`: undefined where callbacks are not signed. */
export function sentWith(
  body: string,
  sign: SignCallback | undefined,
  fault: Partial<CallbackFault> | null,
): SentCallback {
  const faults = faultsIn(fault)
  const signed = sign && faults.map(({ record, kept }) => record.sign?.(sign, body, kept)).find(Boolean)
  const sent = signed ?? { headers: sign?.() ?? {}, body }
  return faults.reduce((changed, { record, kept }) => record.send?.(changed, kept) ?? changed, sent)
}

/** As somebody on the way would change it: a larger amount, or a field where there is none. */
function altered(body: string): string {
  const larger = body.replace(/"amount":("?)(\d)/, '"amount":$19$2')
  return larger === body ? body.replace(/\}$/, ',"altered":true}') : larger
}
