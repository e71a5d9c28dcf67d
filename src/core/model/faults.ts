/** Faults of answers, as data: the scenario decides them, the plan stores them, and the host carries them out. */
import * as z from 'zod'
import type { Draw } from './chance.ts'
import { delay as delaySchema, drawDelay, durationSchema, longestOf } from './delays.ts'
import { keysIn, must } from './must.ts'
import {
  checked,
  described,
  didYouMean,
  type Excludes,
  type NamedShape,
  namedShape,
  optional,
  quote,
  type Tell,
} from './problems.ts'
import { commonReasons, publishedRefusal, refusalAnswer, refusalCatalogue, refusalCodes } from './refusal.ts'
import { counted } from './text.ts'
import { formatDuration, type InstantUs, parseDuration } from './time.ts'

export interface ErrorAnswer {
  status: number
  code: string
  message?: string
  html?: true
}

/**
 * The request was executed, but its answer fails. `reset`: the connection is reset before the first byte. `lost`: mfano
 * answered, and no byte arrives.
 */
export type PlannedAnswerFault = ErrorAnswer | 'reset' | 'lost'

/** Changes to an answer. A new fault is written in these terms, so the road does not know faults by name. */
export interface ResponseOrders {
  answer?: (ErrorAnswer & { details?: string; retryAfterS?: number }) | 'reset' | 'lost' | 'empty'
  /** Real milliseconds before the answer. The work waits too, unless `workFirst`. */
  latencyMs?: number
  truncate?: { bytes: number } | { fraction: number }
  bytesPerSecond?: number
}

export interface ResponseFault extends ResponseOrders {
  by: string
  executed: boolean
  workFirst?: true
}

export function printErrorAnswer({ status, code, html }: ErrorAnswer): string {
  return html ? `${status} with an HTML page` : `${status} ${code}`
}

export const errorAnswerShape = {
  status: optional(z.int().min(400).max(599), 'the HTTP status; that of the code when left out', 500, 503),
  code: optional(
    z.string().regex(/^[A-Z][A-Z0-9_]{1,63}$/),
    'the error code in capitals; that of the published table for the status when left out',
    ...refusalCodes,
  ),
  message: optional(z.string().min(1).max(1000), "the error's message; that of the published table when left out"),
  html: optional(z.literal(true), "true: the HTML page of a gateway instead of JSON; message is the page's heading"),
}

export type ErrorAnswerFile = z.infer<z.ZodObject<typeof errorAnswerShape>>

/** A code that is not published needs a status, and must not look like a published one. */
export function checkCode(
  { code, status }: { code: string; status?: number | undefined },
  tell: Tell,
  example = 400,
): void {
  if (publishedRefusal(code)) return
  const suggestion = didYouMean(code, refusalCodes)
  const why = `${quote(code)} is not one of the published codes`
  if (suggestion !== '') tell(`${why}.${suggestion} A code of your own has to differ more.`, ['code'])
  else if (status === undefined) tell(`${why}, so it needs its status: status: ${example}.`)
}

export function checkErrorAnswer({ status, code, html }: ErrorAnswerFile, tell: Tell): void {
  if (code !== undefined) checkCode({ code, status }, tell, 500)
  else if (status === undefined) tell('"status" is missing. Write, for example, status: 500.')
  if (html && code !== undefined) tell('The page of a gateway shows no code. Remove code, or html.')
  if (code === undefined && status !== undefined && !usualCode(status) && !html)
    tell(`No published code has the status ${status}. Add one of your own: code: ${ownCode(status)}.`)
}

export function readErrorAnswer({ status, code, message, html }: ErrorAnswerFile): ErrorAnswer {
  return {
    status: status ?? publishedRefusal(code ?? '')?.status ?? 500,
    code: code ?? (status === 500 ? 'SERVER_ERROR' : (usualCode(status) ?? 'SERVER_ERROR')),
    ...(message !== undefined && { message }),
    ...(html && { html }),
  }
}

function usualCode(status: number | undefined): string | undefined {
  return refusalCodes.findLast((one) => refusalCatalogue[one].status === status)
}

const namesOfStatuses: Readonly<Record<number, string>> = {
  404: 'NOT_FOUND',
  405: 'METHOD_NOT_ALLOWED',
  408: 'REQUEST_TIMEOUT',
  409: 'CONFLICT',
  410: 'GONE',
  413: 'CONTENT_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  422: 'UNPROCESSABLE_CONTENT',
  501: 'NOT_IMPLEMENTED',
  502: 'BAD_GATEWAY',
}

function ownCode(status: number): string {
  return namesOfStatuses[status] ?? `STATUS_${status}`
}

// Response faults: how each is written, what it does to an answer, and what an app sees of it. To add a fault, add a
// record.

export interface FaultMoment {
  nowUs: InstantUs
  tokenIssuedAtUs: InstantUs | undefined
  letThrough(window: number): number
  draw(label: string): Draw
}

/** It lets the request through, counted in a `window`; or does something to its answer. */
export type Met =
  | { passes: true; window?: number }
  | { passes?: never; window?: never; orders: ResponseOrders; revoke?: true }

export interface ResponseFaultRecord<Written = unknown> {
  schema: z.ZodType<Written>
  meet(written: Written, moment: FaultMoment): Met
  /** Effect, for the journal and explanations. A replaced answer describes itself. */
  tell?(fault: ResponseFault): string | undefined
  /** `answer`: it comes in place of the true one. `body`: it spoils that. `before`: it turns the request away. An answer can meet one of these. */
  way?: 'answer' | 'body' | 'before'
  excludes?: Excludes
  /** It may match a request and do nothing. */
  passes?: true
  needsToken?: true
  appSees: string
}

function fault<Written>(record: ResponseFaultRecord<Written>): ResponseFaultRecord<Written> {
  return record
}

const LONGEST_LATENCY_US = 60_000_000

export const responseFaults = {
  latency: fault({
    schema: described(
      checked(delaySchema, (latency, tell) => {
        if (longestOf(latency) > LONGEST_LATENCY_US) tell('An answer is held back for 1m at the most.', [], 'key')
      }),
      'a wait in real time, up to 1m, before the request is executed; with after: true, before it is answered',
      '2s',
      '500ms..5s',
    ),
    meet: (latency, { draw }) => ({ orders: { latencyMs: drawDelay(latency, () => draw('latency')) / 1000 } }),
    tell: ({ latencyMs }) => (latencyMs === undefined ? undefined : `${formatDuration(latencyMs * 1000)} late`),
    appSees: 'the same answer, later',
  }),
  error: fault({
    schema: z.strictObject(errorAnswerShape),
    meet: (written) => ({ orders: { answer: readErrorAnswer(written) } }),
    way: 'answer',
    appSees: 'the error, also with `after: true`, when its request was executed',
  }),
  slowBody: fault({
    schema: described(
      z.strictObject({ bytesPerSecond: z.int().min(1).max(1_000_000).describe('bytes in a second of real time') }),
      'a slow body, at most one minute',
      { bytesPerSecond: 20 },
    ),
    meet: (slowBody) => ({ orders: slowBody }),
    tell: ({ bytesPerSecond }) =>
      bytesPerSecond === undefined ? undefined : `answer sent at ${counted(bytesPerSecond, 'byte')} per second`,
    excludes: { names: ['truncate', 'reset', 'empty'], why: 'write two faults, or the one that matters' },
    appSees: 'the same answer, byte by byte',
  }),
  truncate: fault({
    schema: described(
      z.number().min(0).max(1_000_000),
      'where the body is cut: after this many bytes, or after a fraction below 1',
      20,
      0.5,
    ),
    meet: (truncate) => ({
      orders: { truncate: truncate > 0 && truncate < 1 ? { fraction: truncate } : { bytes: Math.floor(truncate) } },
    }),
    tell: ({ truncate }) =>
      truncate &&
      `answer cut after ${'bytes' in truncate ? counted(truncate.bytes, 'byte') : `${truncate.fraction} of it`}`,
    way: 'body',
    appSees: 'a part of the body, and then the connection closes',
  }),
  reset: fault({
    schema: z.literal(true).describe('true: the connection is reset instead of an answer; Workers answer 502'),
    meet: () => ({ orders: { answer: 'reset' } }),
    way: 'answer',
    appSees: 'a connection that is reset (ECONNRESET)',
  }),
  empty: fault({
    schema: z.literal(true).describe('true: the connection is closed without an answer'),
    meet: () => ({ orders: { answer: 'empty' } }),
    way: 'answer',
    appSees: 'a connection that closes before any answer',
  }),
  rateLimit: fault({
    schema: described(
      checked(
        z.strictObject({
          max: described(z.int().min(1).max(1_000_000), 'requests that are let through', 10),
          per: described(durationSchema, 'the window of simulated time: 1m is every full minute', '1m'),
          retryAfter: optional(
            durationSchema,
            'the value of Retry-After, in whole seconds; the rest of the window when left out',
            '30s',
          ),
        }),
        ({ per }, tell) => {
          if (must(parseDuration(per)) < 1000) tell('Expected per to be at least 1ms.', [], 'key')
        },
      ),
      '429 RATE_LIMITED with Retry-After, counted per organisation; the request is not executed',
      { max: 10, per: '1m' },
    ),
    meet: ({ max, per, retryAfter }, { nowUs, letThrough }) => {
      const perUs = must(parseDuration(per))
      const window = Math.floor(nowUs / perUs)
      if (letThrough(window) < max) return { passes: true, window }
      const retryAfterUs = retryAfter === undefined ? undefined : parseDuration(retryAfter)
      const retryAfterS = Math.max(1, Math.ceil((retryAfterUs ?? (window + 1) * perUs - nowUs) / 1_000_000))
      const details = `more than ${counted(max, 'request')}; try again in ${retryAfterS} s`
      return { orders: { answer: { ...refusalAnswer(commonReasons.rateLimited), details, retryAfterS } } }
    },
    way: 'before',
    passes: true,
    appSees: '429 with `Retry-After` once it asks too often',
  }),
  revokeTokens: fault({
    schema: described(
      z.union([z.literal(true), z.strictObject({ after: durationSchema })]),
      '401 AUTH_INVALID_TOKEN; true revokes all tokens of the organisation; { after: 60s } refuses older tokens',
      true,
      { after: '60s' },
    ),
    meet: (which, { nowUs, tokenIssuedAtUs }) => {
      if (tokenIssuedAtUs === undefined) return { passes: true }
      const isAll = which === true
      if (!isAll && nowUs < tokenIssuedAtUs + must(parseDuration(which.after))) return { passes: true }
      const answer = { ...refusalAnswer(commonReasons.tokensRevoked), details: 'the token was revoked; get a new one' }
      return { orders: { answer }, ...(isAll && { revoke: true as const }) }
    },
    way: 'before',
    passes: true,
    needsToken: true,
    appSees: '401 until it gets a new token',
  }),
}

export type ResponseFaultName = keyof typeof responseFaults

/** Widened, because who looks a record up by a name hands it only what it read itself. */
const byName: Record<ResponseFaultName, ResponseFaultRecord> = responseFaults
export const responseFaultNames = keysIn(responseFaults)

/** The fields of an error may each be left out; any other fault is one field. */
type ThenShape = typeof errorAnswerShape & NamedShape<Omit<typeof responseFaults, 'error'>>

const shapes = responseFaultNames.map((name) =>
  name === 'error' ? errorAnswerShape : namedShape({ [name]: byName[name] }),
)
export const responseFaultShape: ThenShape = Object.assign({}, ...shapes)

export function fieldsOfFault(name: ResponseFaultName): readonly (keyof ThenShape)[] {
  return name === 'error' ? keysIn(errorAnswerShape) : [name]
}

/** `field`: the first of its fields that is written. */
export function faultsWritten(then: Readonly<Record<string, unknown>>) {
  return responseFaultNames.flatMap((name) => {
    const field = fieldsOfFault(name).find((one) => one in then)
    if (field === undefined) return []
    return [{ field, written: name === 'error' ? then : then[name], record: byName[name] }]
  })
}

export function tellResponseFault(name: ResponseFaultName, fault: ResponseFault): string | undefined {
  return byName[name].tell?.(fault)
}
