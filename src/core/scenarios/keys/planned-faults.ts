import * as z from 'zod'
import { isInstant, waitsForRail } from '../../lifecycle.ts'
import { type CallbackFault, type CallbackFaultRecord, callbackFaults } from '../../model/callback-fault.ts'
import { checkErrorAnswer, errorAnswerShape, readErrorAnswer } from '../../model/faults.ts'
import type { Kind, Kinds, Service } from '../../model/kind.ts'
import { keysIn } from '../../model/must.ts'
import type { Plan } from '../../model/payment.ts'
import {
  below,
  capital,
  checked,
  checkTogether,
  described,
  namedShape,
  optional,
  quote,
  type Tell,
} from '../../model/problems.ts'
import { type DurationUs, parseDuration } from '../../model/time.ts'
import { kindsNamed, onKinds } from './schema-parts.ts'
import { checkTurn, faultName, type Selecting, selectedBy, turnTakers } from './selector.ts'

const answer = () =>
  described(
    z.union([z.enum(['reset', 'lost']), checked(z.strictObject(errorAnswerShape), checkErrorAnswer)]),
    'the answer to a request that is executed: an error such as { status: 500 }, reset or lost; reset: the connection is reset before a byte is sent; lost: the connection closes before a byte arrives; Workers answer 502 instead of both',
    { status: 500 },
    'reset',
    'lost',
  )

const poll = () =>
  z
    .strictObject({
      poll: described(z.int().min(1).max(1000), 'the read that ends it, from 1', 3),
    })
    .meta({
      description:
        'the read that ends the payment: single, status, or GET of a checkout session; it is PENDING until then',
      examples: [{ poll: 3 }],
    })

const callbackShape = namedShape(callbackFaults)

const callback = () =>
  described(
    z.strictObject(callbackShape),
    'the fault of the callbacks of this payment',
    { drop: true },
    { duplicate: 2 },
    { delay: '10m' },
  )

export const plannedFaultShape = () => ({
  answer: answer().optional(),
  twice: optional(
    z.literal(true),
    'the one request is executed as two payments, each with its own id, money and callback',
  ),
  until: poll().optional(),
  callback: callback().optional(),
})

export function checkPlannedFaults(
  { answer, twice, until, callback, after }: PlannedFaultsFile & { after?: unknown },
  on: readonly Kind[],
  tell: Tell,
  service: Service,
): void {
  const unasked = on.find(({ name }) => !service.operations.some(({ opens }) => opens === name))
  const asking = answer !== undefined ? 'answer' : 'twice'
  if (unasked && (answer !== undefined || twice))
    tell(`No request of a merchant makes ${unasked.phrase}. Make a rule without ${asking} for it.`, [asking], 'key')
  const unread = until && on.find((kind) => !isPolled(kind))
  if (unread) {
    const possible = namesOf(service.kinds.filter(isPolled))
    tell(`${capital(unread.phrase)} is not polled to its end. Possible: ${possible}.`, ['until'], 'key')
  }
  if (until && after !== undefined)
    tell('Reading it ends it, not time. Remove after, or remove until.', ['after'], 'key')
  if (!callback) return
  const untold = on.find((kind) => !kind.callback)
  if (untold) tell(`Nobody is told about ${untold.phrase}. Make a rule without callback for it.`, ['callback'], 'key')
  const tellCallback = below(tell, 'callback')
  checkCallbackFault(callback, on, tellCallback)
  const canEarly = !callback.early || checkEarly(on, tellCallback, service.kinds)
  if (callback.early && canEarly && (typeof after !== 'string' || parseDuration(after) !== 0)) {
    const why = 'The merchant is told before the answer, so the end comes at once. Write after: 0s beside end.'
    tellCallback(why, ['early'], 'key')
  }
}

function isPolled(kind: Kind): boolean {
  return kind.record !== undefined && !isInstant(kind)
}

function checkEarly(on: readonly Kind[], tell: Tell, kinds: Kinds): boolean {
  const unable = on.find((kind) => !waitsForRail(kind))
  if (!unable) return true
  const possible = namesOf(kinds.filter(waitsForRail))
  tell(`${capital(unable.phrase)} has no end before its answer. Possible: ${possible}.`, ['early'], 'key')
  return false
}

function checkCallbackFault(file: CallbackFaultFile, on: readonly Kind[], tell: Tell): void {
  const written = keysIn(file).map((field) => ({ field, ...records[field] }))
  if (written.length === 0) tell('Nothing goes wrong here. Write, for example, drop: true.')
  const without = written.find(({ needsStatus }) => needsStatus)?.field
  const statusless = on.find((kind) => kind.callback?.withoutStatus)
  if (without !== undefined && statusless)
    tell(
      `The callback of ${statusless.phrase} says no ${without}. Make a fault without ${without} for it.`,
      [without],
      'key',
    )
  checkTogether(written, tell)
}

function namesOf(kinds: readonly Kind[]): string {
  return kinds.map(({ name }) => name).join(', ')
}

export function kindsTold({ on, then }: Pick<CallbackFaultRuleFile, 'on' | 'then'>, kinds: Kinds): Kind[] {
  if (![on].flat().includes('any')) return kindsNamed(on, kinds)
  return kinds.filter((kind) => (then.early ? waitsForRail(kind) : kind.callback !== undefined))
}

const callbackFault = (kinds: Kinds) =>
  checked(
    z.strictObject({
      name: faultName(),
      on: onKinds(kinds),
      ...selectedBy(turnTakers, 'a condition in CEL, as in a rule', 'request.amount > 10000'),
      then: described(z.strictObject(callbackShape), 'the fault of the callback', { drop: true }, { duplicate: 2 }),
    }),
    (fault, tell) => {
      const wrong = [fault.on].flat().find((name) => name !== 'any' && !kinds.of(name).callback)
      if (wrong) tell(`Nobody is told about payments of the kind ${quote(wrong)}.`, ['on'])
      const on = kindsTold(fault, kinds)
      if (fault.then.early && !wrong) checkEarly(on, below(tell, 'then'), kinds)
      checkTurn(fault.nth, on, tell)
      checkCallbackFault(fault.then, on, below(tell, 'then'))
    },
  ).describe('a fault of callbacks')

export const callbackFaultsOf = (kinds: Kinds) =>
  z
    .array(callbackFault(kinds))
    .max(1000)
    .describe('faults of callbacks; the first match applies, unless the rule has its own')

type CallbackFaultRuleFile = z.infer<ReturnType<typeof callbackFault>>
type CallbackFaultFile = z.infer<ReturnType<typeof callback>>
type PlannedFaultsFile = z.infer<z.ZodObject<ReturnType<typeof plannedFaultShape>>>

const records: Readonly<Record<string, CallbackFaultRecord | undefined>> = callbackFaults

/** `label`: what the delay is for. Draws depend on it, so that one delay does not change another. */
export type DrawLabelled = (delay: string, label: string) => DurationUs

export function planFaults(
  by: string,
  { answer, twice, until, callback }: PlannedFaultsFile,
  draw: DrawLabelled,
): Pick<Plan, 'answer' | 'twice' | 'untilPoll' | 'callback'> {
  return {
    ...(answer !== undefined && { answer: typeof answer === 'string' ? answer : readErrorAnswer(answer) }),
    ...(twice && { twice }),
    ...(until && { untilPoll: until.poll }),
    ...(callback && { callback: planCallbackFault(by, callback, draw) }),
  }
}

export function planCallbackFault(by: string, file: CallbackFaultFile, draw: DrawLabelled): CallbackFault {
  const drawn = (delay: string) => draw(delay, 'callback')
  const read = Object.entries(file).map(([name, value]) => records[name]?.read?.(value, drawn) ?? { [name]: value })
  return Object.assign({ by }, ...read)
}

export type CallbackFaultRule = Selecting<CallbackFaultRuleFile>
