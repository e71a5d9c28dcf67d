import { withPlainTimes } from '../../core/model/calendar.ts'
import { adviceOf } from '../../core/model/risks.ts'
import { findingRecords } from '../../inspect/finding.ts'
import { type Sequence, type SequencePart, shortened } from '../../inspect/report-document.ts'
import { paymentsService } from '../../service/service.ts'
import { appFindings } from '../app/app-findings.ts'
import type { AppFinding } from '../subject/outcome.ts'
import type { ToldFinding } from '../subject/report.ts'
import { type Choice, recordOf } from './choice.ts'
import { trialOf } from './choices/worlds.ts'
import type { Happened } from './happened.ts'
import type { Ran } from './run-app.ts'

export function storyOf(choices: readonly Choice[]): string[] {
  return choices.length === 0
    ? ['on an ordinary day, nothing having gone wrong']
    : choices.map((one) => recordOf(one).story(one).replaceAll(PAYMENT, paymentNamed))
}

const PAYMENT = new RegExp(`\\b(${[...paymentsService.kinds].map(({ name }) => name).join('|')}) (\\d+)\\b`, 'g')
const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']

function paymentNamed(_: string, kind: string, nth: string): string {
  const phrase = paymentsService.kinds.of(kind).phrase.replace(/^an? /, '')
  const ordinal = ordinals[Number(nth) - 1]
  return ordinal === undefined ? `${phrase} ${nth}` : `the ${ordinal} ${phrase}`
}

const STEPS_MAX = 14

export function nameOfChoices(choices: readonly Choice[]): string {
  const nameOf = (one: Choice) => recordOf(one).name?.(one) ?? Object.values(one).join(' ')
  return choices.length === 0 ? 'the ordinary day' : choices.map(nameOf).join(' + ')
}

export interface ToldUnder extends ToldFinding {
  choices: readonly Choice[]
}

/** `again`: a command that shows one again that left no capsule. */
export function toldFindings(
  { choices, ran }: { choices: readonly Choice[]; ran: Pick<Ran, 'happened'> },
  found: readonly AppFinding[],
  again?: string,
): ToldUnder[] {
  const [first] = choices
  const under = choices.length === 1 && first?.do === 'scenario' ? first.scenario : undefined
  const advice = under === undefined ? undefined : adviceOf(trialOf(under).source)
  const told = new Set<string>()
  return found.map((one) => {
    const isFirst = !told.has(one.code)
    told.add(one.code)
    return {
      ...{ ...one, scenario: nameOfChoices(choices), advice: advice ?? todoOf(one.code), choices },
      ...(under === undefined && { story: storyOf(choices) }),
      ...(isFirst && { sequence: shortened(sequenceOf(ran.happened), STEPS_MAX) }),
      replay: one.capsule === undefined ? again : `mfano replay ${one.capsule}`,
    }
  })
}

function todoOf(code: string): string {
  const records: Readonly<Record<string, { todo: string } | undefined>> = { ...findingRecords, ...appFindings }
  return records[code]?.todo ?? ''
}

/** The run up to the last round that changed something. Rounds without anything are left out. */
export function sequenceOf(happened: readonly Happened[]): Sequence {
  const last = happened.findLastIndex(
    ({ what }) => what !== 'time' && what !== 'tick' && what !== 'request' && what !== 'answer',
  )
  const next = happened.findIndex(({ what }, i) => what === 'time' && i > last + 1)
  const told = next < 0 ? happened : happened.slice(0, next)
  const end: SequencePart[] = next < 0 ? [] : [{ over: ALL, text: 'days go by, and nothing new happens' }]
  const isStranger = told.some(({ what }) => what === 'stranger')
  return {
    lanes: [...ALL, ...(isStranger ? ['Stranger'] : [])],
    steps: [...told.flatMap((one, i) => (isIdle(told, i) ? [] : stepOf(one))), ...end],
  }
}

const ALL = ['People', 'App', 'Service'] as const

function isIdle(happened: readonly Happened[], i: number): boolean {
  const what = happened[i]?.what
  if (what !== 'time' && what !== 'tick') return false
  const next = happened[i + 1]?.what
  return next === undefined || next === 'time' || (what === 'time' && next === 'tick' && isIdle(happened, i + 1))
}

function stepOf(one: Happened): SequencePart {
  const [toService, toApp] = [
    { from: 'App', to: 'Service' },
    { from: 'Service', to: 'App' },
  ] as const
  switch (one.what) {
    case 'act':
      return { from: 'People', to: 'App', text: `${one.name} ${one.n}` }
    case 'tick':
      return { over: ['App'], text: 'its own work' }
    case 'time':
      return { over: ALL, text: withPlainTimes(one.now) }
    case 'request':
      return { ...toService, text: `${one.operation} ${one.nth}` }
    case 'answer':
      return one.fate === 'lost' || one.fate === 'reset'
        ? { ...toApp, text: `the answer is lost (${one.operation} ${one.nth})`, sort: 'lost' }
        : {
            ...toApp,
            text: `${one.status}${one.fate ? ', held back' : ''} (${one.operation} ${one.nth})`,
            sort: 'answer',
          }
    case 'payment':
      return { over: ['Service'], text: `${one.kind} ${one.nth} is ${one.status}` }
    case 'callback':
      return { ...toApp, text: `callback ${one.kind} ${one.nth} ${one.status} → ${one.taken}` }
    case 'stranger':
      return { from: 'Stranger', to: 'App', text: `callback made up of ${one.kind} ${one.nth} → ${one.taken}` }
    case 'service-restart':
      return { over: ['Service'], text: 'dies, and is started again' }
    case 'crash':
      return { over: ['App'], text: `dies (${one.at})` }
    case 'restart':
      return { over: ['App'], text: 'is started again' }
  }
}
