/** Choices that a service makes itself where nobody says how it really is. */

export interface Assumption<Value extends string = string> {
  /** What is not known. */
  question: string
  /** The choices; the first is the default. */
  alternatives: readonly [Value, ...Value[]]
  /** What each choice means and why the first was taken. */
  note: string
  /** What it is about, for readers. */
  area: string
  touches: Touches
}

/** Where a choice can show: what touches none of it runs the same under every alternative. */
export interface Touches {
  /** Operations whose requests or answers it may change, by their ids. */
  operations?: 'all' | readonly string[]
  /** Kinds of payment whose callbacks it may change, by their names. */
  callbacks?: 'all' | readonly string[]
  /** Requests that no operation answers: unknown paths and methods. */
  unrouted?: true
}

/** The choices that others than the service consult; every service has them among its own. */
export interface CommonChoices {
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
  /** Whether merchants are told of what runs out. */
  'expired-callback': 'sent' | 'none'
  /** Whether merchants are told when a final state changes. */
  'reversal-callback': 'sent' | 'none'
  /** What is told first of a request with a bad token and wrong fields. */
  'check-order': 'token-first' | 'fields-first'
  /** Whether 429 says when to ask again. */
  'retry-after': 'sent' | 'none'
  /** How long a hosted page can be paid on. */
  'session-life': '30m' | '5m' | '24h'
  /** How long a customer of it takes to answer a prompt. */
  'prompt-life': '3s' | '1m'
}

/** All assumptions of a service, by their ids. */
export type AssumptionRegistry = Readonly<Record<string, Assumption>> & {
  readonly [Id in keyof CommonChoices]: Assumption<CommonChoices[Id]>
}

/** A world's choice for every assumption. */
export type Assumptions = Readonly<Record<string, string>> & Readonly<CommonChoices>

/** The defaults: the first alternative of each. */
export function defaultsOf(registry: AssumptionRegistry): Assumptions {
  const defaults = Object.entries(registry).map(([id, { alternatives }]) => [id, alternatives[0]])
  return Object.fromEntries(defaults) as Assumptions
}
