/** Finds what each scenario can lead to, by its rules and faults. */
import { parse } from 'yaml'
import { type CallbackFaultName, callbackFaults } from '../../core/model/callback-fault.ts'
import { keysIn } from '../../core/model/must.ts'
import { codesMeant } from '../../core/model/refusal.ts'
import { coveredBy } from '../../core/model/response-fault-records.ts'
import type { Service } from '../../core/model/simulated-service.ts'
import type { Scenario } from '../../core/scenario.ts'
import { byDimension, type CoverageNames, type Dimension } from '../coverage.ts'
import { edgeName, endName, positionName } from './all-names.ts'

interface File {
  rules?: { on?: string | string[]; then?: Outcome }[]
  faults?: { on?: string | string[]; then?: object }[]
  callbacks?: { faults?: { then?: CallbackOutcomes }[]; retry?: unknown; timeout?: unknown; loseAnswers?: unknown }
  wallets?: Record<string, unknown>
  assumptions?: Record<string, string>
}
interface Outcome {
  end?: string
  refuse?: { code?: string; status?: number }
  revise?: { end?: string }
  answer?: { code?: string; status?: number } | string
  callback?: CallbackOutcomes
}
type CallbackOutcomes = { [Name in CallbackFaultName]?: unknown }

export function reachOf({ source }: Pick<Scenario, 'source'>, service: Service): CoverageNames {
  const { rules = [], faults = [], callbacks = {}, wallets, assumptions = {} }: File = parse(source) ?? {}
  const names = byDimension(() => new Set<string>())
  for (const { on, then = {} } of rules) noteRule(names, kindsOf(listOf(on), service.kinds.names), then)
  for (const { on, then = {} } of faults) noteFault(names, listOf(on), then)
  for (const { then = {} } of callbacks.faults ?? []) noteCallback(names, then)
  if (callbacks.loseAnswers !== undefined) names.callbacks.add('twice')
  if (callbacks.retry !== undefined || callbacks.timeout !== undefined)
    for (const outcome of ['refused', 'unreachable']) names.callbacks.add(outcome)
  if (wallets) names.refusals.add('INSUFFICIENT_FUNDS')
  for (const [id, value] of Object.entries(assumptions))
    if (Object.hasOwn(service.assumptions, id)) names.assumptions.add(positionName(id, value))
  return names
}

function noteRule(names: Record<Dimension, Set<string>>, kinds: readonly string[], then: Outcome): void {
  const { end, refuse, revise, answer, callback } = then
  for (const error of [refuse, answer])
    if (typeof error === 'object') for (const code of codesMeant(error)) names.refusals.add(code)
  if (callback) noteCallback(names, callback)
  if (end === undefined) return
  for (const kind of kinds) {
    names.ends.add(endName(kind, end))
    names.edges.add(edgeName(kind, 'PENDING', end === 'EXPIRED' ? 'expire' : 'settle', end))
    names.edges.add(edgeName(kind, 'PROCESSING', 'settle', end))
    if (revise?.end !== undefined) {
      names.ends.add(endName(kind, revise.end))
      names.edges.add(edgeName(kind, end, 'revise', revise.end))
    }
  }
}

function noteFault(names: Record<Dimension, Set<string>>, on: string[], then: object): void {
  for (const { refusals = [], tokens = [] } of coveredBy(then)) {
    for (const code of refusals) names.refusals.add(code)
    for (const outcome of tokens) names.tokens.add(outcome)
  }
  if (on.includes('getToken')) names.tokens.add('not-issued')
}

function noteCallback(names: Record<Dimension, Set<string>>, then: CallbackOutcomes): void {
  for (const name of keysIn(then)) {
    const { met } = callbackFaults[name]
    if (met) names.callbacks.add(met.outcome)
  }
}

function kindsOf(on: readonly string[], all: readonly string[]): readonly string[] {
  return on.length === 0 || on.includes('any') ? all : on
}

function listOf(on: string | string[] | undefined): string[] {
  return on === undefined ? [] : [on].flat()
}
