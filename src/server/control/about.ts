/** What a route of the control plane says of itself; its contract is made of that (`control-contract.ts`). */
import type { Handler, MiddlewareHandler } from 'hono'
import type * as z from 'zod'

/** An error that a route may answer besides those that any may: `409 ILLEGAL_TRANSITION`. */
export type PossibleError = `${number} ${string}`

/** What is to be said of a route besides its summary. */
export interface More {
  description?: string
  /** What each name in its path stands for. */
  path?: Readonly<Record<string, string>>
  errors?: readonly PossibleError[]
  /** Why it may answer errors that nobody can list. */
  otherErrors?: string
  /** What it takes where that is no JSON of a schema that checks it: media types, and what is in them. */
  body?: Readonly<Record<string, string>>
  /** What it takes, where the schema that checks it first says less. */
  takes?: z.ZodType
  /** What it answers besides JSON: media types, and what is in them. */
  answers?: Readonly<Record<string, string>>
}

/** What one handler of a route knows of it. */
export interface RouteFacts {
  about?: { summary: string } & More
  json?: z.ZodType
  query?: z.ZodType
}

const facts = new WeakMap<object, RouteFacts>()

/** Notes what a handler knows of its route, and gives it back. */
export function withFacts<H extends Handler | MiddlewareHandler>(handler: H, known: RouteFacts): H {
  facts.set(handler, known)
  return handler
}

export function factsOf(handler: object): RouteFacts {
  return facts.get(handler) ?? {}
}

/** The first handler of a route: says what it is for, in one line, and passes on. */
export function about(summary: string, more: More = {}): MiddlewareHandler {
  return withFacts<MiddlewareHandler>((_, next) => next(), { about: { summary, ...more } })
}
