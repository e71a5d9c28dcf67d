/** The scenario of a world, for tests. */
import type { Control, Explanation, Hits, Supposed } from '../../client/control.ts'
import { MfanoError } from '../../client/errors.ts'
import type { PaymentKind } from '../../client/service.gen.ts'
import type { JsonObject } from '../../core/model/payment.ts'

/** A shipped scenario's name, a text in YAML or JSON, or an object. */
export type ScenarioSource = string | object

/** Values for a scenario's parameters, by name. */
export type ScenarioParameters = Readonly<Record<string, string | number | boolean>>

/** The scenario of a world. */
export class WorldScenario {
  readonly #control: Control

  constructor(control: Control) {
    this.#control = control
  }

  /**
   * Applies another scenario to payments from now on. One with problems is refused, and the old one stays.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world()
   * await world.scenario.use({
   *   name: 'rent-day',
   *   description: 'Till payments above 5000 fail.',
   *   rules: [{ name: 'too much rent', on: 'till', when: 'request.amount > 5000', then: { after: '2s', end: 'FAILED' } }],
   * })
   * const { rule } = await world.scenario.explain('till', { businessNumber: '600000', amount: 6000 })
   * assert.equal(rule, 'too much rent')
   * ```
   */
  async use(scenario: ScenarioSource, parameters: ScenarioParameters = {}): Promise<void> {
    const query = Object.fromEntries(Object.entries(parameters).map(([name, value]) => [`set.${name}`, value]))
    await this.#control('PUT', '/scenario', { body: checked(scenario), query })
  }

  /** Explains what would happen to a request now, which rule decides, and why earlier ones do not. Makes no payment. */
  explain(
    kind: PaymentKind,
    request: Readonly<Record<string, unknown>>,
    supposed: Supposed = {},
  ): Promise<Explanation> {
    return this.#control('POST', '/scenario/explain', { body: { kind, request: request as JsonObject, ...supposed } })
  }

  /** Counts of each rule. For own rules that never fired, also the request that came nearest. */
  hits(): Promise<Hits> {
    return this.#control('GET', '/scenario/hits')
  }

  /** Counts from zero again. */
  async clearHits(): Promise<void> {
    await this.#control('DELETE', '/scenario/hits')
  }

  /**
   * Fails when one of the scenario's own rules has not fired, because such a rule tests nothing.
   *
   * @example
   * ```ts
   * await using mfano = await startMfano()
   * const world = await mfano.world({ scenario: 'tzs-minimum' })
   * const error = await world.scenario.verify().catch((error) => error)
   * assert.equal(error.code, 'RULES_NEVER_FIRED')
   * assert.match(error.message, /no send-money request came to the rules/)
   * ```
   */
  async verify(): Promise<void> {
    const { scenario, neverFired } = await this.hits()
    if (neverFired.length === 0) return
    throw new MfanoError({
      code: 'RULES_NEVER_FIRED',
      message: `${neverFired.length} of the rules of ${scenario} never fired.`,
      details: neverFired.map(({ rule, file, line, why }) => `${file}:${line}: ${rule}: ${why}`).join('\n'),
      hint: 'world.scenario.hits() shows the request that came nearest to each.',
    })
  }
}

export function isScenarioName(text: string): boolean {
  return /^[\w-]+$/.test(text)
}

/** Refuses a path, since only the person who starts the server may name its files. */
export function checked(scenario: ScenarioSource): string | Record<string, unknown> {
  if (typeof scenario !== 'string') return { ...scenario }
  if (/[\n{]/.test(scenario) || isScenarioName(scenario)) return scenario
  throw new MfanoError({
    code: 'INVALID_FIELD',
    message: `scenario: expected a shipped name, a YAML or JSON text or an object, got ${JSON.stringify(scenario)}`,
    hint: 'A path works where mfano is started: startMfano({ scenario }). Elsewhere read the file and give its text.',
  })
}
