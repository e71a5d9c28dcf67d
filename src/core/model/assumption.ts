/** Assumptions: questions that no source answers, each with the alternatives that a world can go by. */
import { Chance } from './chance.ts'

export interface Assumption<Value extends string = string> {
  /** What is not known. */
  question: string
  /** The first is the default. */
  alternatives: readonly [Value, ...Value[]]
  /** What each alternative means, and why the first is the default. */
  note: string
  /** What it is about, for readers. */
  area: string
  touches: Touches
}

/** Where an alternative can show: what touches none of it runs the same under every one. */
export interface Touches {
  /** Operations whose requests or answers it may change, by their ids. */
  operations?: 'all' | readonly string[]
  /** Kinds of payment whose callbacks it may change, by their names. */
  callbacks?: 'all' | readonly string[]
  /** Requests that no operation answers: unknown paths and methods. */
  unrouted?: true
  /** Of all those, only requests in whose journal entry it is named: it says there that it had to be asked. */
  noted?: true
}

/** Those that others than the service consult; every service has them among its own. */
export interface CommonAssumptions extends TransportAssumptions {
  /** The zone of timestamps, and of days. */
  'timestamp-zone': 'utc' | 'nairobi'
  /** Who holds a bank account that no scenario lists. */
  'unlisted-accounts': 'any-name' | 'invented-holder'
  /** When a wallet has to hold what is paid. */
  'funds-check': 'at-creation' | 'at-settlement'
  /** Whether merchants are told of the beginning, too. */
  'final-callback': 'final' | 'pending-too'
  /** Which answers a callback is received with. */
  'callback-success': '2xx' | '200'
  /** How callbacks are signed. */
  'callback-signature': 'none' | 'standard-webhooks'
  /** Whether the rail fills in what it knows. */
  'success-record': 'filled' | 'bare'
  /** What becomes of a session whose customer cancels. */
  'checkout-cancel': 'stays-pending' | 'fails'
  /** What the page adds to where it sends its customer. */
  'redirect-parameters': 'none' | 'session-id'
  /** What a payout is refused for first. */
  'refusal-order': 'rule-first' | 'funds-first'
  /** Whether a payment that is taken back loses what its success reported. */
  'reversed-record': 'keeps' | 'loses'
  /** How often a callback is tried. */
  'callback-retries': 'as-set' | 'never' | 'hourly'
  /** How long a receiver has to answer. */
  'callback-timeout': 'as-set' | '3s' | '30s'
  /** What callbacks carry besides their bodies. */
  'callback-headers': 'plain' | 'java-client' | 'bare'
  /** Whether callbacks belong to the caller's trace. */
  'callback-trace': 'passed-on' | 'none'
  /** Whether merchants are told of what runs out. */
  'expired-callback': 'sent' | 'none'
  /** Whether merchants are told when a final state changes. */
  'reversal-callback': 'sent' | 'none'
  /** Whether bodies have fields that nobody announced. */
  'extra-fields': 'none' | 'some'
  /** Of the fields of bodies, and of the lists inside records. */
  'field-order': 'as-shown' | 'another'
  /** What is told first of a request with a bad token and wrong fields. */
  'check-order': 'token-first' | 'fields-first'
  /** Whether 429 says when to ask again. */
  'retry-after': 'sent' | 'none'
  /** How long a hosted page can be paid on. */
  'session-life': '30m' | '5m' | '24h'
  /** How long a customer of it takes to answer a prompt. */
  'prompt-life': '3s' | '1m'
}

/** Those of the road that requests come by. */
export interface TransportAssumptions {
  /** Status of a body that is no JSON by its Content-Type. */
  'unsupported-media-type': '415' | '400' | 'accept'
  'missing-media-type': 'as-other-types' | 'accept'
  /** Of `application/*+json`. */
  'json-suffix-types': 'accept' | 'as-other-types'
  'other-charsets': 'read-as-utf-8' | 'honoured' | '415'
  'broken-utf-8': 'replaced' | 'refuse'
  'byte-order-mark': 'ignored' | 'refuse'
  /** Of the scheme of the Authorization header. */
  'bearer-case': 'any' | 'as-shown'
  'repeated-parameters': 'first' | 'last' | 'joined'
  'accept-header': 'ignored' | '406'
  'body-limit': '1mb' | '100kb'
  /** Status of a body that is larger. */
  'too-large': '413' | '400'
  'unsupported-method': '405' | '404'
  'unknown-path-order': 'path-first' | 'token-first'
  /** Of a path that is written otherwise than an operation's: not found, as if it were not, refused, or redirected. */
  'trailing-slash': '404' | 'same' | '301' | '308'
  'double-slash': '404' | 'same' | '308' | '400'
  'path-case': '404' | 'same'
  'path-encoding': 'same' | '404'
  'head-requests': 'as-get' | 'as-other-methods'
  'options-requests': 'as-other-methods' | '204' | '204-with-token'
  cors: 'no-headers' | 'any-origin' | 'refuse'
}

/** All assumptions of a service, by their ids. */
export type AssumptionRegistry = Readonly<Record<string, Assumption>> & {
  readonly [Id in keyof CommonAssumptions]: Assumption<CommonAssumptions[Id]>
}

/** The alternative in force of every assumption. */
export type Assumptions = Readonly<Record<string, string>> & Readonly<CommonAssumptions>

/** The defaults: the first alternative of each. */
export function defaultsOf(registry: AssumptionRegistry): Assumptions {
  const defaults = Object.entries(registry).map(([id, { alternatives }]) => [id, alternatives[0]])
  return Object.fromEntries(defaults) as Assumptions
}

/** An alternative of every assumption; the same seed gives the same, and a new assumption does not shift the others. */
export function drawnAlternatives(
  registry: Readonly<Record<string, { alternatives: readonly string[] }>>,
  seed: number,
): Record<string, string> {
  const chance = new Chance(seed)
  const drawn = Object.entries(registry).map(([id, { alternatives }]) => [
    id,
    chance.of('assumption', id).pick(alternatives),
  ])
  return Object.fromEntries(drawn)
}

/** What decided an assumption: nobody, a scenario, or the world's seed. */
export type ChosenBy = 'default' | 'scenario' | 'drawn'
