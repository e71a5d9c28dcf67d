import { withPlainTimes } from '../../core/model/calendar.ts'
import { findingRecords } from '../../inspect/finding.ts'
import { paymentsService } from '../../service/service.ts'
import { appFindings } from '../app/app-findings.ts'
import type { AppFinding, Step } from '../subject/outcome.ts'
import type { ToldFinding } from '../subject/report.ts'
import { adviceOf } from '../subject/risks.ts'
import { type Choice, placeName, recordOf } from './choice.ts'
import { trialOf } from './choices/worlds.ts'
import type { Happened, PaymentMet } from './happened.ts'
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

export function nameOfChoices(choices: readonly Choice[]): string {
  const nameOf = (one: Choice) => recordOf(one).name?.(one) ?? Object.values(one).join(' ')
  return choices.length === 0 ? 'the ordinary day' : choices.map(nameOf).join(' + ')
}

export interface ToldUnder extends ToldFinding {
  choices: readonly Choice[]
}

interface ToldRun {
  choices: readonly Choice[]
  ran: Pick<Ran, 'happened' | 'chosen' | 'about'>
}

/** `again`: a command that shows one again that left no capsule. */
export function toldFindings({ choices, ran }: ToldRun, found: readonly AppFinding[], again?: string): ToldUnder[] {
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
      ...(isFirst && { sequence: sequenceOf(ran.happened, weightsIn({ choices, ran }, one)) }),
      replay: one.capsule === undefined ? again : `mfano replay ${one.capsule}`,
    }
  })
}

function todoOf(code: string): string {
  const records: Readonly<Record<string, { todo: string } | undefined>> = { ...findingRecords, ...appFindings }
  return records[code]?.todo ?? ''
}

const STEPS_MAX = 14
/** Steps that a long story keeps first: states of the money that went wrong, choices, and what the app was told of it. */
const weights = { money: 9, chosen: 8, told: 4, asked: 1, other: 0 } as const

function weightsIn({ choices, ran: { chosen, about } }: ToldRun, { requestId, others = [] }: AppFinding) {
  const money = [requestId, ...others].flatMap((id) => about.get(id ?? '') ?? [])
  const places = choices.map(placeName).filter((place) => place !== '')
  return (one: Happened): number => {
    const isDecided = one.what === 'crash' || (one.what === 'answer' && one.fate !== undefined)
    const place = 'kind' in one ? `${one.kind} ${one.nth}` : 'operation' in one ? `${one.operation} ${one.nth}` : ''
    const isOf = ({ kind, nth }: PaymentMet) => [place, 'of' in one && one.of].includes(`${kind} ${nth}`)
    const isMoney = money.some(isOf)
    if (isMoney && one.what === 'payment') return weights.money
    if (isDecided || chosen.has(one) || places.includes(place)) return weights.chosen
    if (!isMoney) return weights.other
    return 'kind' in one ? weights.told : weights.asked
  }
}

/** The run up to the last round that changed something, in its heaviest steps. Rounds without anything are left out. */
export function sequenceOf(
  happened: readonly Happened[],
  weightOf: (one: Happened) => number = () => weights.other,
): Step[] {
  const last = happened.findLastIndex(
    ({ what }) => what !== 'time' && what !== 'tick' && what !== 'request' && what !== 'answer',
  )
  const next = happened.findIndex(({ what }, i) => what === 'time' && i > last + 1)
  const told = next < 0 ? happened : happened.slice(0, next)
  const end = next < 0 ? [] : [{ where: '', text: 'days go by, and nothing new happens' }]
  const steps = told.flatMap((one, i) => (isIdle(told, i) ? [] : { step: stepOf(one), weight: weightOf(one) }))
  return [...shortened(steps), ...end]
}

/** The heaviest steps with those around them; of equal ones, the first. */
function shortened(steps: readonly { step: Step; weight: number }[]): Step[] {
  const weightAt = (i: number) => steps[i]?.weight ?? 0
  const weighed = steps.map((_, i) => ({ i, weight: Math.max(weightAt(i), weightAt(i - 1) / 2, weightAt(i + 1) / 2) }))
  const heaviest = weighed.sort((a, b) => b.weight - a.weight || a.i - b.i).slice(0, STEPS_MAX)
  const kept = new Set(heaviest.map(({ i }) => i))
  const short: Step[] = []
  const left: Step[] = []
  for (const [i, { step }] of steps.entries()) {
    if (kept.has(i)) short.push(...counted(left.splice(0)), step)
    else left.push(step)
  }
  return [...short, ...counted(left)]
}

function counted(left: readonly Step[]): readonly Step[] {
  return left.length > 1 ? [{ where: '', text: `and ${left.length} steps more` }] : left
}

function isIdle(happened: readonly Happened[], i: number): boolean {
  const what = happened[i]?.what
  if (what !== 'time' && what !== 'tick') return false
  const next = happened[i + 1]?.what
  return next === undefined || next === 'time' || (what === 'time' && next === 'tick' && isIdle(happened, i + 1))
}

type StepsOf = { [What in Happened['what']]: (one: Extract<Happened, { what: What }>) => Step }

const steps: StepsOf = {
  act: ({ name, n }) => ({ where: 'People → App', text: `${name} ${n}` }),
  tick: () => ({ where: 'App', text: 'its own work' }),
  time: ({ now }) => ({ where: '', text: withPlainTimes(now) }),
  request: ({ operation, nth }) => ({ where: 'App → Service', text: `${operation} ${nth}` }),
  answer: ({ operation, nth, status, fate }) =>
    fate === 'lost' || fate === 'reset'
      ? { where: 'Service ✗ App', text: `the answer is lost (${operation} ${nth})` }
      : { where: 'Service → App', text: `${status}${fate ? ', held back' : ''} (${operation} ${nth})` },
  payment: ({ kind, nth, status }) => ({ where: 'Service', text: `${kind} ${nth} is ${status}` }),
  callback: ({ kind, nth, status, taken }) => ({
    where: 'Service → App',
    text: `callback ${kind} ${nth} ${status} → ${taken}`,
  }),
  stranger: ({ kind, nth, taken }) => ({
    where: 'Stranger → App',
    text: `callback made up of ${kind} ${nth} → ${taken}`,
  }),
  'service-restart': () => ({ where: 'Service', text: 'dies, and is started again' }),
  crash: ({ at }) => ({ where: 'App', text: `dies (${at})` }),
  restart: () => ({ where: 'App', text: 'is started again' }),
}

function stepOf(one: Happened): Step {
  return (steps[one.what] as (one: Happened) => Step)(one)
}
