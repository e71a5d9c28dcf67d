import { Chance } from './chance.ts'

export interface Assumption<Value extends string = string> {
  question: string
  alternatives: readonly [Value, ...Value[]]
  note: string
  touches: Touches
}

/**
 * Requests and callbacks that an alternative can change. A test that touches none of them runs alike under every
 * alternative.
 */
export interface Touches {
  operations?: 'all' | readonly string[]
  callbacks?: 'all' | readonly string[]
  unrouted?: true
  /** Only requests whose journal entry names the assumption, because it decided something there. */
  noted?: true
}

export interface CommonAssumptions extends TransportAssumptions {
  'timestamp-zone': 'utc' | 'nairobi'
  'unlisted-accounts': 'any-name' | 'invented-holder'
  'funds-check': 'at-creation' | 'at-settlement'
  'final-callback': 'final' | 'pending-too'
  'callback-success': '2xx' | '200'
  'callback-signature': 'none' | 'standard-webhooks'
  'success-record': 'filled' | 'bare'
  'checkout-cancel': 'stays-pending' | 'fails'
  'callback-retries': 'as-set' | 'never' | 'hourly'
  'callback-timeout': 'as-set' | '3s' | '30s'
  'expired-callback': 'sent' | 'none'
  'reversal-callback': 'sent' | 'none'
  'extra-fields': 'none' | 'some'
  'retry-after': 'sent' | 'none'
  'session-life': '30m' | '5m' | '24h'
  'prompt-life': '3s' | '1m'
}

export interface TransportAssumptions {
  'unsupported-media-type': '415' | '400' | 'accept'
  'body-limit': '1mb' | '100kb'
  'unsupported-method': '405' | '404'
  'trailing-slash': '404' | 'same' | '301' | '308'
  'idempotency-key': 'ignored' | 'replay' | 'refuse'
}

export type AssumptionRegistry = Readonly<Record<string, Assumption>> & {
  readonly [Id in keyof CommonAssumptions]: Assumption<CommonAssumptions[Id]>
}

export type Assumptions = Readonly<Record<string, string>> & Readonly<CommonAssumptions>

export function defaultsOf(registry: AssumptionRegistry): Assumptions {
  const defaults = Object.entries(registry).map(([id, { alternatives }]) => [id, alternatives[0]])
  return Object.fromEntries(defaults)
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

export type ChosenBy = 'default' | 'scenario' | 'drawn'

export type ParameterValue = string | number | boolean

/**
 * By name, from the command line or the control plane. A numeric text is accepted for a number, because flags are text.
 */
export type GivenParameters = Readonly<Record<string, ParameterValue>>
