import * as z from 'zod'
import { answerChoice, refuseChoice, spoilChoice } from './choices/answers.ts'
import type { ChoiceRecord } from './choices/choice-record.ts'
import { crashChoice, restartChoice } from './choices/crashes.ts'
import {
  actChoice,
  answersChoice,
  besideChoice,
  maintenanceChoice,
  pagesChoice,
  passChoice,
  passUntilChoice,
  restartServiceChoice,
  tellPendingChoice,
  twiceChoice,
} from './choices/day-choices.ts'
import { actBetweenChoice, endChoice, isRevised } from './choices/ends.ts'
import { bankPayerChoice, customerChoice } from './choices/payers.ts'
import { tellChoice, tellingOf } from './choices/tellings.ts'
import { assumeChoice, scenarioChoice } from './choices/worlds.ts'

/** In the order in which sorts of choices take turns. */
export const choiceRecords = {
  end: endChoice,
  'act-between': actBetweenChoice,
  answer: answerChoice,
  tell: tellChoice,
  crash: crashChoice,
  refuse: refuseChoice,
  spoil: spoilChoice,
  twice: twiceChoice,
  restart: restartChoice,
  'restart-service': restartServiceChoice,
  act: actChoice,
  pass: passChoice,
  'pass-until': passUntilChoice,
  customer: customerChoice,
  'bank-payer': bankPayerChoice,
  beside: besideChoice,
  answers: answersChoice,
  'tell-pending': tellPendingChoice,
  maintenance: maintenanceChoice,
  pages: pagesChoice,
}

/** Offered by no run: a judge names them. */
const named = { scenario: scenarioChoice, assume: assumeChoice }
const records = { ...choiceRecords, ...named }
type ChoiceName = keyof typeof records

type FieldsOf<Name extends ChoiceName> = (typeof records)[Name]['fields']
export type Choice = {
  [Name in ChoiceName]: { do: Name } & ([keyof FieldsOf<Name>] extends [never]
    ? object
    : z.output<z.ZodObject<FieldsOf<Name>>>)
}[ChoiceName]

/** Widened, because a record takes only its own choices, and is looked up by the name in a choice. */
type AnyRecord = ChoiceRecord<z.ZodRawShape, object>
const byName: Record<ChoiceName, AnyRecord> = records
const entries = Object.entries(byName)

export function recordOf(one: Choice): AnyRecord {
  return byName[one.do]
}

/** As their sorts take turns: what one choice plans, the next changes. */
export function inOrder(choices: readonly Choice[]): Choice[] {
  return entries.flatMap(([name]) => choices.filter((one) => one.do === name))
}

export function choicesOffered(ask: (record: AnyRecord) => object[] | undefined): Choice[] {
  return entries.flatMap(([name, record]) => (ask(record) ?? []).map((one) => ({ do: name, ...one }) as Choice))
}

const schemas = entries.map(([name, { fields }]) => z.strictObject({ do: z.literal(name), ...fields }))
export const choice = z.union(schemas) as z.ZodType<unknown> as z.ZodType<Choice>

export const knownSchedule = z.object({ code: z.string(), choices: z.array(choice) })
export type KnownSchedule = z.infer<typeof knownSchedule>

/** Whether two choices can be made together so that each still comes to something: a race that the app does not survive is none. */
export function agree(one: Choice, other: Choice): boolean {
  const [first, second] = [recordOf(one).race, recordOf(other).race]
  const isLost = first !== undefined && second !== undefined && (first === 'is' || second === 'is')
  return slotOf(one) !== slotOf(other) && !isLost
}

/** Fields that say where a choice is made. */
const places = ['process', 'at', 'kind', 'operation', 'on', 'assumption', 'step', 'nth']

/** Two choices of one name in one place exclude each other. */
function slotOf(one: Choice): string {
  const fields: Readonly<Record<string, unknown>> = one
  return [one.do, ...places.map((name) => fields[name] ?? '')].join(' ')
}

/** The kind of payment or operation that it is about; empty where it is about none. */
export function placeOf(one: Choice): string {
  if ('kind' in one) return one.kind
  if ('operation' in one) return one.operation
  return 'on' in one ? one.on : ''
}

/** Such as `send-money 1`, with which names of its rules begin; empty where it is about no payment or request. */
export function placeName(one: Choice): string {
  const on = placeOf(one)
  return 'nth' in one && on !== '' ? `${on} ${one.nth}` : ''
}

/** The payment that it is for alone, such as `send-money 1`; undefined where it may matter for any. */
export function paymentOf(one: Choice): string | undefined {
  return 'kind' in one && 'nth' in one ? placeName(one) : undefined
}

export function choiceSort(one: Choice): string {
  const { sort } = recordOf(one)
  return [one.do, sort ? sort(one) : 'as' in one && one.as].filter(Boolean).join(' ')
}

/** Acts that they add to the ordinary day: who does an act once more may ask for as much again. */
export function moreActs(choices: readonly Choice[]): number {
  return choices.filter((one) => 'act' in one && one.act !== undefined).length
}

export function keyOf(choices: readonly Choice[]): string {
  return choices
    .map((one) => JSON.stringify(one))
    .sort()
    .join('\n')
}

/**
 * Choices of which each slot has one; of two for one slot, the first. Who was told that a payment is over need not look
 * for days at what might become of it: so what is revised is told.
 */
export function withoutClashes(choices: readonly Choice[]): Choice[] {
  const taken = new Set<string>()
  const single = choices.filter((one) => {
    const slot = slotOf(one)
    const free = !taken.has(slot)
    taken.add(slot)
    return free
  })
  const revised = single.filter((one) => (one.do === 'end' || one.do === 'act-between') && isRevised(one.as))
  const payments = new Set(revised.map(paymentOf))
  return single.filter((one) => !(one.do === 'tell' && tellingOf(one.as).isUntold && payments.has(paymentOf(one))))
}
