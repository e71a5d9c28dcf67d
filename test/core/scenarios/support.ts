import { readdirSync, readFileSync } from 'node:fs'
import { loadedLibraries } from '../../../src/core/loaded-libraries.ts'
import { Chance } from '../../../src/core/model/chance.ts'
import type { JsonObject, PaymentKind } from '../../../src/core/model/payment.ts'
import { ScenarioError } from '../../../src/core/model/problems.ts'
import type { Scenario } from '../../../src/core/scenario.ts'
import type { Decision, Facts } from '../../../src/core/scenarios/decisions/payment-facts.ts'
import type { LoadOptions } from '../../../src/core/scenarios/keys/chain.ts'
import { loadScenario } from '../../../src/core/scenarios/load.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { bodies, payoutTo } from '../../support/bodies.ts'

const root = new URL('../../../', import.meta.url)

/** The scenarios that ship with mfano, by name. */
export const shippedNames = readdirSync(new URL('scenarios/', root))
  .filter((file) => file.endsWith('.yaml'))
  .map((file) => file.slice(0, -'.yaml'.length))

export function shippedText(name: string): string {
  return readFileSync(new URL(`scenarios/${name}.yaml`, root), 'utf8')
}

/** Reads shipped scenarios by name, and the given files by path. */
export function reader(files: Record<string, string> = {}): LoadOptions['read'] {
  return (name) => {
    const given = files[name]
    if (given !== undefined) return { file: name, text: given }
    return shippedNames.includes(name) ? { file: `scenarios/${name}.yaml`, text: shippedText(name) } : undefined
  }
}

const options = (files?: Record<string, string>): LoadOptions => ({
  file: 'scenarios/late.yaml',
  read: reader(files),
  known: shippedNames,
  service: paymentsService,
  libraries: loadedLibraries,
})

export function load(text: string, files?: Record<string, string>): Scenario {
  return loadScenario(text, options(files))
}

export function loadShipped(name: string): Scenario {
  return loadScenario(shippedText(name), {
    file: `scenarios/${name}.yaml`,
    read: reader(),
    service: paymentsService,
    libraries: loadedLibraries,
  })
}

/** Problems as printed: `12:9 rules[2].then.end: …`. */
export function problemsOf(text: string, files?: Record<string, string>): string[] {
  try {
    load(text, files)
    return []
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error
    return error.problems.map(({ line, column, path, message }) => `${line}:${column} ${path}: ${message}`)
  }
}

/** A scenario of rules only, written as YAML list items. */
export function withRules(rules: string, head = 'extends: none\n'): string {
  return `name: late\ndescription: A test.\n${head}rules:\n${rules}`
}

/** One rule for a kind with a condition, and one for everything else. */
export function withCondition(when: string, kind: PaymentKind = 'send-money'): string {
  const end = kind === 'checkout' ? 'SUCCEEDED' : 'SUCCESS'
  return withRules(
    `  - name: tested\n    on: ${kind}\n    when: ${JSON.stringify(when)}\n    then: { after: 1s, end: FAILED }\n` +
      `  - { name: other, on: ${kind}, then: { after: 1s, end: ${end} } }\n`,
  )
}

function facts(kind: PaymentKind, request: JsonObject, changes: Partial<Facts> = {}): Facts {
  return {
    kind,
    request,
    organisation: { uuid: '00000000-0000-4000-8000-000000000001', name: 'Example Properties Ltd', parent: true },
    walletAvailable: 1_000_000,
    nowUs: Date.UTC(2025, 0, 24, 16, 28) * 1000,
    nth: 1,
    draw: changes.nth ?? 1,
    history: { outcomes: () => new Map(), paidToday: () => 0, made: () => 0 },
    matched: () => 0,
    chance: new Chance(1),
    ...changes,
  }
}

const nobody = 'https://merchant.example/callback'

// As the published sample, it names nobody to be told.
const { callbackUrl: _, ...session } = bodies.checkout(nobody)

/** An ordinary request of each kind. */
export const ordinary: Record<PaymentKind, JsonObject> = {
  'send-money': payoutTo(nobody, { amount: 1000, currencyCode: 'KSH', remarks: 'rent', occasion: 'May' }),
  till: { ...bodies.till(nobody), businessNumber: '12345', remarks: 'water', occasion: 'May' },
  paybill: {
    ...bodies.paybill(nobody),
    ...{ businessNumber: '2232334', accountNumber: '22442244', amount: 1000, remarks: 'tax', occasion: 'May' },
  },
  'bank-payout': {
    ...bodies.bankPayout(nobody),
    ...{ beneficiaryName: 'Recipient User', creditAccountNumber: '01000000000000', amount: 1000, narration: 'wages' },
  },
  'account-verification': { bankCode: '0025', accountNumber: '00200000000000', callbackUrl: nobody },
  stk: { ...bodies.stk(nobody), currencyCode: 'KSH', description: 'rent', accountReference: 'A1' },
  'bank-collection': { amount: 10_000, description: 'rent' },
  checkout: { ...session, description: 'order', customerPhone: '+237600000000' },
  allocation: { fromOrganisationId: 'a', toOrganisationId: 'b', amount: 1000 },
  'de-allocation': { fromOrganisationId: 'b', toOrganisationId: 'a', amount: 1000 },
}

/** Asks a scenario about an ordinary request with some fields changed. */
export function decide(
  scenario: Scenario,
  kind: PaymentKind,
  changes: JsonObject = {},
  about: Partial<Facts> = {},
): Decision {
  return scenario.decide(facts(kind, { ...ordinary[kind], ...changes }, about))
}

/** `after 2s FAILED`, `refuse 503 SERVICE_UNAVAILABLE`, `never`: a decision in short. */
export function inShort(decision: Decision): string {
  if (decision.refuse) return `refuse ${decision.refuse.status} ${decision.refuse.code}`
  const { afterUs, end, revise, payAfterUs } = decision.plan
  if (afterUs === null) return 'never'
  const paid = payAfterUs ? `paid ${payAfterUs / 1e6}s, ` : ''
  return `${paid}${afterUs / 1e6}s ${end}${revise ? `, ${revise.afterUs / 1e6}s ${revise.end}` : ''}`
}
