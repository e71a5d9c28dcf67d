/** A typed client of the control plane. Paths, inputs and answers are derived from the declared operations. */
import type * as z from 'zod'
import { asJson } from '../core/model/json.ts'
import { type ShownHint, withHints } from '../core/model/problems.ts'
import { filledPath, type QueryValue } from '../core/model/text.ts'
import type { controlOperations } from '../server/control-operations.ts'
import type { OperationDescription, OperationField } from '../server/operation-fields.ts'
import { MfanoError, noAnswer } from './errors.ts'
import { ANSWER_MAX_BYTES, type OutgoingRequest, type ReceivedAnswer, type SendRequest, send, TooLong } from './send.ts'

type Declared = (typeof controlOperations)[number]
export type ControlId = Declared['id']
type ById = { [One in Declared as One['id']]: One }
type Routes = { [One in Declared as `${One['method']} ${One['path']}`]: One }
export type CalledMethod = Declared['method']

/** Without `/_mfano`: `/payments/:id`. */
export type ControlPath<M extends CalledMethod> = {
  [Route in keyof Routes]: Route extends `${M} ${infer P}` ? P : never
}[keyof Routes]

type Endpoint<M extends CalledMethod, P extends string> = Routes[`${M} ${P}` & keyof Routes]

type HandedTo<Operation> = Operation extends { run(given: infer Given): unknown } ? Given : never
type SchemaOf<Part> = Exclude<Part, undefined | ((...given: never[]) => unknown)>

/** `ControlAnswer<'GET', '/payments'>`: the JSON that a path answers. */
export type ControlAnswer<M extends CalledMethod, P extends ControlPath<M>> =
  Endpoint<M, P> extends { answer?: () => infer Answer extends z.ZodType } ? z.output<Answer> : never

/** The JSON body that a path takes: `ControlBody<'PATCH', '/clock'>`. */
export type ControlBody<M extends CalledMethod, P extends ControlPath<M>> = BodyOf<Endpoint<M, P>>

type BodyOf<Operation> = Operation extends { body?: infer Body } ? z.input<Extract<SchemaOf<Body>, z.ZodType>> : never
type QueryOf<Operation> = Operation extends { query?: infer Query }
  ? z.input<Extract<SchemaOf<Query>, z.ZodType>>
  : never

type PathPart<Operation> =
  HandedTo<Operation> extends { params: infer Names }
    ? [keyof Names] extends [never]
      ? { path?: never }
      : { path: { readonly [Name in keyof Names]: string | number } }
    : never
type QueryPart<Operation> = { query?: { readonly [Name in keyof QueryOf<Operation>]?: QueryValue } }
/** Where no JSON is declared: a scenario as text or object, or a world's bytes. */
type BodyPart<Json> = Json extends undefined
  ? { body?: string | object }
  : Record<never, never> extends Json
    ? { body?: Json }
    : { body: Json }

type CallInput<M extends CalledMethod, P extends string> = PathPart<Endpoint<M, P>> &
  QueryPart<Endpoint<M, P>> &
  BodyPart<BodyOf<Endpoint<M, P>>> & { signal?: AbortSignal }
type Optional<Value> = Record<never, never> extends Value ? [given?: Value] : [given: Value]

type Names<Operation> =
  HandedTo<Operation> extends { params: infer Names }
    ? { readonly [Name in keyof Names]: string | number }
    : Record<never, never>
/** Path parameters, query parameters and body fields in one object. */
type Together<Operation> = Names<Operation> & {
  // Without a query, the keys are any text.
  readonly [Name in Exclude<keyof QueryOf<Operation>, 'format'> as string extends Name
    ? never
    : Name]?: QueryOf<Operation>[Name]
} & (BodyOf<Operation> extends undefined ? { body?: string | object } : BodyOf<Operation>)
/** The answer of one operation, such as `OperationAnswer<'payment.show'>`. */
export type OperationAnswer<Id extends ControlId> = ById[Id] extends { answer?: () => infer Answer extends z.ZodType }
  ? [Answer] extends [z.ZodNever]
    ? Response
    : z.output<Answer>
  : never

/** For mfano's own programs. */
type InternalId = `${'agent' | 'forwarder' | 'mutation' | 'participant' | 'told'}.${string}` | 'inbox.receive'
type PublicId = Exclude<ControlId, InternalId>

/** Every operation as a method, by noun and verb: `float.fund({ amount: 500 })`. A file or a stream comes as a `Response`. */
export type NamedControl = {
  [Noun in PublicId extends infer Id ? (Id extends `${infer N}.${string}` ? N : never) : never]: {
    [Id in PublicId as Id extends `${Noun}.${infer Verb}` ? Verb : never]: (
      ...given: Optional<Together<ById[Id]>>
    ) => Promise<OperationAnswer<Id>>
  }
}

/** For paths that are not typed. */
export interface ControlRequest {
  /** Values of the path's `:names`. */
  path?: Readonly<Record<string, string | number>>
  /** Undefined values are left out. */
  query?: Readonly<Record<string, QueryValue>>
  /** Sent as JSON. Texts, files and streams are sent unchanged. */
  body?: unknown
  /** Instead of JSON: the text, or the response before its body has arrived. */
  as?: 'text' | 'response'
  signal?: AbortSignal
}

/** Returns the JSON of the answer. Throws a `MfanoError` that names the request. */
export interface Control {
  <M extends CalledMethod, P extends ControlPath<M>>(
    method: M,
    path: P,
    ...given: Optional<CallInput<M, P>>
  ): Promise<ControlAnswer<M, P>>
  text<M extends CalledMethod, P extends ControlPath<M>>(
    method: M,
    path: P,
    ...given: Optional<CallInput<M, P>>
  ): Promise<string>
  /** Returns the response before its body has arrived. Throws a `MfanoError` for a refusal. */
  open<M extends CalledMethod, P extends ControlPath<M>>(
    method: M,
    path: P,
    ...given: Optional<CallInput<M, P>>
  ): Promise<Response>
}

export type AnyControl = <T = unknown>(method: string, path: string, asked?: ControlRequest) => Promise<T>

export interface ControlOptions {
  /** For a server with `MFANO_ADMIN_TOKEN`. */
  adminToken?: string | undefined
  /** Default: Node's own client, or the platform's `fetch`. */
  fetch?: SendRequest | undefined
  /** Real milliseconds to wait for an answer, where no signal is given. */
  patienceMs?: number | undefined
  /** Told the headers of each answer. */
  heard?: (headers: Pick<Headers, 'get'>) => void
  /** How errors print a hint. Default: as a request. */
  showHint?: ((hint: ShownHint) => string) | undefined
}

/** Distributes parameters over path, query and body. `body` is all of a body without fields, such as a file. */
export function requestOf(
  { fields, hasFields }: Pick<OperationDescription, 'fields' | 'hasFields'>,
  parameters: Readonly<Record<string, unknown>>,
): ControlRequest {
  const placeOf = (name: string): OperationField['in'] =>
    fields.find((one) => one.name === name)?.in ?? (hasFields ? 'body' : 'query')
  const at = (place: OperationField['in']) =>
    Object.fromEntries(Object.entries(parameters).filter(([name]) => placeOf(name) === place))
  return { path: at('path'), query: at('query'), body: hasFields ? at('body') : at('body')['body'] } as ControlRequest
}

/** `baseUrl` is the address of a server or of one of its worlds. */
export function controlOf(baseUrl: string, options: ControlOptions = {}): Control & AnyControl {
  const ask: AnyControl = (method, path, asked) => request(baseUrl, method, path, asked, options)
  return Object.assign(ask, {
    text: (method: string, path: string, asked?: ControlRequest) => ask<string>(method, path, { ...asked, as: 'text' }),
    open: (method: string, path: string, asked?: ControlRequest) =>
      ask<Response>(method, path, { ...asked, as: 'response' }),
  })
}

async function request<T>(
  baseUrl: string,
  method: string,
  path: string,
  asked: ControlRequest = {},
  { adminToken, fetch = send, patienceMs, heard, showHint }: ControlOptions,
): Promise<T> {
  const { body, signal, as } = asked
  const url = `${baseUrl}/_mfano${filledPath(path, asked.path, asked.query)}`
  const { headers, ...content } = contentOf(body)
  const authorization = adminToken !== undefined && { authorization: `Bearer ${adminToken}` }
  let response: ReceivedAnswer
  let text: string
  try {
    const until = signal ?? (patienceMs === undefined ? undefined : AbortSignal.timeout(patienceMs))
    const init = { method, headers: { ...authorization, ...headers }, ...content, ...(until && { signal: until }) }
    response = await fetch(url, init)
    heard?.(response.headers)
    if (response.ok && as === 'response') return (response.whole?.() ?? response) as T
    text = await response.text()
  } catch (error) {
    if (signal?.aborted) throw error
    throw noAnswer(`${method} ${url}`, error, 'Is a mfano running there, and not closed yet? startMfano() starts one.')
  }
  if (response.ok && as === 'text') return text as T
  const answer = asJson(text)
  if (response.ok && answer !== undefined) return answer as T
  throw refusal(`${method} ${url}`, response.status, answer, showHint)
}

function contentOf(body: unknown): Partial<Pick<OutgoingRequest, 'body' | 'headers' | 'duplex'>> {
  if (body === undefined) return {}
  if (typeof body === 'string') return { body, headers: { 'content-type': 'application/yaml' } }
  const file = { 'content-type': 'application/vnd.mfano.world' }
  if (body instanceof Blob) return { body, headers: file }
  if (body instanceof ReadableStream) return { body, headers: file, duplex: 'half' }
  return { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

interface ErrorAnswer {
  error?: { code?: string; message?: string; details?: string; hints?: ShownHint[] }
}

function refusal(request: string, status: number, answer: unknown, showHint: ControlOptions['showHint']): MfanoError {
  const error = (answer as ErrorAnswer | undefined)?.error
  if (!error?.code)
    return new MfanoError({
      code: 'NOT_MFANO',
      status,
      message: `${request} answered ${status}, and not as a control plane does.`,
      hint: 'Is the url that of a mfano of this version, without a path of your own behind it?',
    })
  const { code, message = '', details = '', hints = [] } = error
  return new MfanoError({
    code,
    status,
    message: `${request} answered ${status} ${code}: ${message}`,
    reason: message,
    details: showHint ? withHints(details, hints, showHint) : details,
    hints,
  })
}

// Types of the control plane's answers, for people who write tests. Instants are ISO 8601 in UTC with `Z`; amounts
// are in major units.

/** One payment in a list, and one payment with all details. */
export type PaymentSummary = ControlAnswer<'GET', '/payments'>['payments'][number]
export type PaymentDetail = ControlAnswer<'GET', '/payments/:id'>

export type RequestEntry = ControlAnswer<'GET', '/requests'>['requests'][number]

export type ClockState = ControlAnswer<'GET', '/clock'>

export type Advanced = ControlAnswer<'POST', '/clock/advance'>
export type Settled = ControlAnswer<'POST', '/clock/settle'>

export type Explanation = ControlAnswer<'POST', '/scenario/explain'>

export type Examination = ControlAnswer<'POST', '/doctor'>

export type Hits = ControlAnswer<'GET', '/scenario/hits'>

export type Verdict = ControlAnswer<'POST', '/reconcile'>

export type Organisation = ControlAnswer<'GET', '/organisations'>['organisations'][number]

export type Credentials = ControlAnswer<'POST', '/organisations/:uuid/credentials'>

export type MadeWorld = ControlAnswer<'POST', '/worlds'>

export type ClockSetting = ControlBody<'PATCH', '/clock'>

/** Why one rule decided, or why it did not. */
export type RuleTrace = PaymentDetail['trace'][number]

type AnyCallback = ControlAnswer<'GET', '/callbacks'>['callbacks'][number]
type AnyCallbackDetail = ControlAnswer<'GET', '/callbacks/:id'>
type AnyMessage = ControlAnswer<'GET', '/inbox/:name'>['messages'][number]

/** The notification that a merchant gets. */
export type CallbackSummary<Told = AnyCallback['body']> = Omit<AnyCallback, 'body'> & { body: Told }

export type CallbackDetail<Told = AnyCallback['body']> = Omit<AnyCallbackDetail, 'body'> & { body: Told }

/** An attempt to send a callback. */
export type Attempt = AnyCallbackDetail['tries'][number]

export type InboxMessage<Told = unknown> = Omit<AnyMessage, 'body'> & { body: Told }

export type InboxBehaviour = ControlBody<'PUT', '/inbox/:name'>

/** A payment or request that almost matched a rule or fault. */
export type Nearest = NonNullable<Hits['hits'][number]['nearest']>

/** An event in a world, with its subject as it was then. The subject is null if it has been removed since. */
export type DomainEvent = NonNullable<Settled['happened']>[number]

/** `gap`: some events were missed; `catchUp` says how to find out which. */
export type WorldEvent = ({ id: string } & DomainEvent) | { type: 'gap'; at: string; says: string; catchUp: string }

export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<WorldEvent, void> {
  for await (const { data } of sentEvents(body)) yield JSON.parse(data)
}

/** Expects one line of data for each event, because mfano writes nothing else. `heard` is called for every part, comments included. */
export async function* sentEvents(
  body: ReadableStream<Uint8Array>,
  heard: () => void = () => {},
): AsyncGenerator<{ event: string | undefined; data: string }, void> {
  let text = ''
  heard()
  for await (const part of body.pipeThrough(new TextDecoderStream() as TransformStream<Uint8Array, string>)) {
    heard()
    const events = (text + part).split('\n\n')
    text = events.pop() ?? ''
    if (text.length > ANSWER_MAX_BYTES) throw new TooLong(ANSWER_MAX_BYTES)
    for (const one of events) {
      const [, event, data] = /^(?:event: (.*)\n)?data: (.*)$/m.exec(one) ?? []
      if (data !== undefined) yield { event, data }
    }
  }
}
