/** Tells a schedule and its run: choices in words, and a sequence. */
import { withPlainTimes } from '../../core/model/calendar.ts'
import { type Sequence, type SequencePart, shortened } from '../../inspect/report-document.ts'
import { type Choice, recordOf } from './choice.ts'
import type { Happened } from './happened.ts'

/** The choices, a line each. */
export function storyOf(choices: readonly Choice[]): string[] {
  return choices.length === 0
    ? ['on an ordinary day, nothing having gone wrong']
    : choices.map((one) => recordOf(one).story(one))
}

/** As many steps of a sequence as are seen at once. */
const STEPS_MAX = 14

/** Such as `answer send-money 1 lost`: the same from run to run. */
export function nameOfChoices(choices: readonly Choice[]): string {
  return choices.length === 0 ? 'the ordinary day' : choices.map((one) => Object.values(one).join(' ')).join(' + ')
}

/** The parts of a report that depend on the choices under which a finding was seen. */
export function toldUnder(choices: readonly Choice[], { happened }: { happened: readonly Happened[] }) {
  return {
    scenario: nameOfChoices(choices),
    story: storyOf(choices),
    sequence: shortened(sequenceOf(happened), STEPS_MAX),
  }
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

/** Ticks and times with nothing between them and the next of their sort. */
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
