/** What can be chosen, given what an app did on an ordinary day. */
import { isInstant, isRevisable, waitsForRail } from '../../core/lifecycle.ts'
import { paymentsService } from '../../service/service.ts'
import { answers, type Choice, choiceSort, ends, refusalChoices, strangers, tellings } from './choice.ts'
import { dayOf } from './day.ts'
import type { PaymentMet } from './happened.ts'
import type { Ran, RunnerOptions } from './schedule-runner.ts'

/** Of one operation, so many requests are ends of the app or refused; what comes later is more of the same. */
const REQUESTS_EACH = 3
const single = refusalChoices.filter((one) => one !== 'outage')
const PASSES = ['20s', '15m', '2h', '25h']

/** Everything that can be chosen for one payment, a refusal of the request for it included. */
export function optionsOf({ kind: name, nth }: PaymentMet): Choice[] {
  const kind = paymentsService.kinds.of(name)
  const at = { kind: name, nth }
  const fails = !isInstant(kind) && kind.ends.includes('FAILED')
  const revised = ['failed-then-paid', 'paid-then-failed']
  const operation = paymentsService.operations.find(({ opens }) => opens === name)?.id
  const worded = kind.callback !== undefined && kind.callback.withoutStatus !== true
  return [
    ...ends
      .filter((one) => fails && (isRevisable(kind) || !revised.includes(one)))
      .map((as): Choice => ({ do: 'end', ...at, as })),
    ...answers.map((as): Choice => ({ do: 'answer', ...at, as })),
    ...tellings
      .filter((one) => kind.callback !== undefined && (one !== 'early' || waitsForRail(kind)))
      .filter((one) => (worded && fails) || (one !== 'forged' && one !== 'odd'))
      .filter((one) => worded || !isStranger(one))
      .map((as): Choice => ({ do: 'tell', ...at, as })),
    ...(operation === undefined ? [] : single.map((as): Choice => ({ do: 'refuse', operation, nth, as }))),
  ]
}

function isStranger(one: string): boolean {
  return (strangers as readonly string[]).includes(one)
}

/** Everything else: ends of the app, refusals, and other days. Sorts of choices take turns. */
export function othersOf(base: Pick<Ran, 'requests' | 'told'>, merchant: RunnerOptions['merchant']): Choice[] {
  const early = base.requests.filter(({ nth, opens }) => opens !== undefined || nth <= REQUESTS_EACH)
  const steps = dayOf(merchant).map((step, i) => ({ step, number: i + 1 }))
  const choices: Choice[] = [
    ...early.flatMap(({ operation, nth, opens }): Choice[] => [
      { do: 'crash', at: 'executed', on: operation, nth },
      { do: 'crash', at: 'answered', on: operation, nth },
      { do: 'crash', at: 'seen', on: operation, nth },
      ...(opens === undefined ? refusalChoices.map((as): Choice => ({ do: 'refuse', operation, nth, as })) : []),
    ]),
    ...base.told.flatMap(({ kind, nth }): Choice[] => [
      { do: 'crash', at: 'acknowledged', on: kind, nth },
      { do: 'crash', at: 'called', on: kind, nth },
    ]),
    ...steps.flatMap(({ step, number }): Choice[] => [
      { do: 'restart', step: number },
      { do: 'restart-service', step: number },
      ...merchant.acts.map(({ name }): Choice => ({ do: 'act', step: number, act: name })),
      ...PASSES.map((by): Choice => ({ do: 'pass', step: number, by })),
      ...(merchant.tick && step !== 'settle' ? [{ do: 'beside', step: number } as const] : []),
      ...(typeof step === 'object'
        ? merchant.acts.map(({ name }): Choice => ({ do: 'beside', step: number, act: name }))
        : []),
    ]),
    { do: 'answers', as: 'newest-first' },
    { do: 'answers', as: 'oldest-first' },
    ...(base.told.length > 0 ? [{ do: 'tell-pending' } as const] : []),
  ]
  return inTurn(Object.values(Object.groupBy(choices, choiceSort)).filter((list) => list !== undefined))
}

/** One of each list, then the next of each. */
export function inTurn<One>(lists: readonly (readonly One[])[]): One[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  return Array.from({ length: longest }, (_, i) =>
    lists.flatMap((list) => (i < list.length ? [list[i] as One] : [])),
  ).flat()
}
