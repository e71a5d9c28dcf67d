/** Reads and checks rules, ready to decide. */
import { CONDITIONS_PAGE, type Condition, compileCondition } from '../../expressions.ts'
import { isInstant, isRevisable } from '../../lifecycle.ts'
import { textOf } from '../../model/as-text.ts'
import { type Delay, delayOf, printDelay } from '../../model/delays.ts'
import { didYouMean } from '../../model/did-you-mean.ts'
import type { Kind, Kinds } from '../../model/kind.ts'
import type { JsonObject, PaymentKind } from '../../model/payment.ts'
import { below, capital, type Path, printPath, quote, type Tell } from '../../model/problems.ts'
import type { Service } from '../../model/simulated-service.ts'
import { type DurationUs, formatDuration, parseDuration } from '../../model/time.ts'
import type { SourceText } from '../../source-text.ts'
import { type Paying, printPay, readPay } from './paying.ts'
import { checkPlannedFaults } from './planned-fault-schema.ts'
import { type PlannedFaults, printPlannedFaults, readPlannedFaults } from './planned-faults.ts'
import { type RefusalAnswer, readRefusal } from './refuse-schema.ts'
import { requestFields } from './request-fields.ts'
import type { EndingFile, RuleFile } from './scenario-schema.ts'
import { checkFields, kindsNamed, settlementOrNever } from './schema-parts.ts'
import { checkTurn, readSelector, type Selector } from './selector.ts'

export type RuleOutcome =
  | { refuse: RefusalAnswer }
  | {
      refuse?: undefined
      after: Delay | null
      end: string
      with: JsonObject
      revise: { after: Delay; end: string; with: JsonObject } | null
      pay: Paying | null
      /** World time that a phone prompt waits for the handset; null: it confirms itself. */
      promptUs: DurationUs | null
      faults: PlannedFaults
    }

export interface Rule extends Selector {
  then: RuleOutcome
  written: RuleFile
}

export function readRule(written: RuleFile, index: number, source: SourceText, { kinds }: Service): Rule {
  const path: Path = ['rules', index]
  const on = kindsNamed(written.on, kinds)
  const conditionOn = readConditions(written.when, on, [...path, 'when'], source, kinds)
  return {
    ...readSelector(written, path, source, { name: written.name, on: on.map(({ name }) => name), conditionOn }),
    then: 'refuse' in written.then ? { refuse: readRefusal(written.then.refuse) } : readEnding(written.then, on),
    written,
  }
}

/** By kind. Conditions of a text that was checked before are compiled on first use, which makes most starts faster. */
export function readConditions(
  when: string | undefined,
  on: readonly Kind[],
  path: Path,
  source: SourceText,
  kinds: Kinds,
): Selector['conditionOn'] {
  if (when === undefined) return () => undefined
  const conditions = new Map<PaymentKind, Condition>()
  const compile = (kind: Kind) => {
    const { condition, problem } = compileCondition(when, kind, kinds, source.libraries)
    if (condition) conditions.set(kind.name, condition)
    return problem
  }
  if (source.checked)
    return (name) => {
      const kind = conditions.has(name) ? undefined : on.find((one) => one.name === name)
      const problem = kind && compile(kind)
      if (problem) throw new Error(`${printPath(path)}: ${problem.message}`)
      return conditions.get(name)
    }
  for (const kind of on) {
    const problem = compile(kind)
    if (!problem) continue
    // A mistake is found for every kind, and reported once.
    source.report(source.offsetWithin(path, problem.start), printPath(path), `${problem.message} ${CONDITIONS_PAGE}`)
    break
  }
  return (name) => conditions.get(name)
}

function readEnding(then: EndingFile, on: readonly Kind[]): RuleOutcome {
  const { after, end, with: fields = {}, revise, pay, prompt } = then
  return {
    // A read ends it, and time does not.
    after: after === 'never' || after === undefined ? null : delayOf(after),
    end: end ?? on[0]?.ends[0] ?? '',
    with: fields,
    revise: revise ? { after: delayOf(revise.after), end: revise.end, with: revise.with ?? {} } : null,
    pay: pay ? readPay(pay) : null,
    promptUs: prompt === undefined ? null : (parseDuration(prompt) ?? null),
    faults: readPlannedFaults(then),
  }
}

/** Checks that no shape can say: they depend on the kinds that a rule decides. */
export function checkRule({ on: names, nth, then }: RuleFile, tell: Tell, service: Service): void {
  const on = kindsNamed(names, service.kinds)
  checkTurn(nth, on, tell)
  if ('refuse' in then) checkField(then.refuse.field, on, below(tell, 'then', 'refuse'))
  else checkEnding(then, on, below(tell, 'then'), service)
}

function checkField(field: string | undefined, on: readonly Kind[], tell: Tell): void {
  const unable = on.find(({ request }) => field !== undefined && !Object.hasOwn(requestFields(request).fields, field))
  if (!unable || field === undefined) return
  const known = Object.keys(requestFields(unable.request).fields)
  const problem = `${quote(field)} is not a field of the request for ${unable.phrase}.${didYouMean(field, known)}`
  tell(problem, ['field'])
}

function checkEnding(then: EndingFile, on: readonly Kind[], tell: Tell, service: Service): void {
  const { end, revise, pay, prompt } = then
  checkPlannedFaults(then, on, tell, service)
  if (then.after === undefined && !then.until)
    tell(`"after" is missing. Expected ${settlementOrNever.description}.`, ['after'])
  if (end === undefined && then.after !== 'never')
    tell(`"end" is missing. Possible: ${endsOf(on).join(', ')}. Only after: never goes without.`, ['end'])
  if (end !== undefined) checkEnd(end, on, tell)
  if (then.with) checkFields(then.with, on, tell, ['with'])

  const after = then.after === undefined || then.after === 'never' ? undefined : delayOf(then.after)
  const instant = on.find(isInstant)
  if (instant && after?.toUs !== 0)
    tell(`${capital(instant.phrase)} is over at once. Write after: 0s, or refuse it.`, ['after'])
  const paidLater = on.find((kind) => kind.page)
  if (after?.banking && paidLater)
    tell(`${capital(paidLater.phrase)} waits for a customer and not for a bank. Write simulated time, such as 2s.`, [
      'after',
    ])
  if (revise) checkRevision(revise, end, on, tell)

  const without = on.find((kind) => !kind.page)
  if (pay && without)
    tell(`Only a checkout session is paid by a customer, and this rule decides ${without.phrase}. Remove pay.`, ['pay'])
  if (pay && end === 'EXPIRED')
    tell('A session that is paid does not expire. Remove pay, or write another end.', ['pay'])
  if (prompt !== undefined && without)
    tell(
      `Only a checkout session waits for an answer on the handset, and this rule decides ${without.phrase}. Write after and end for when nobody answers.`,
      ['prompt'],
    )
  if (prompt !== undefined && pay?.confirm !== undefined)
    tell('Either the handset answers the prompt, or it is confirmed by itself. Remove prompt or pay.confirm.', [
      'prompt',
    ])
}

function checkRevision(
  revise: NonNullable<EndingFile['revise']>,
  end: string | undefined,
  on: readonly Kind[],
  tell: Tell,
): void {
  const unable = on.find((kind) => !isRevisable(kind))
  const ends = [end, revise.end]
  if (unable) tell(`${capital(unable.phrase)} cannot be revised. Make a rule without revise for it.`, ['revise'])
  else if (!ends.includes('SUCCESS') || !ends.includes('FAILED'))
    tell(
      `SUCCESS can be revised to FAILED, and FAILED to SUCCESS. Found ${end ?? 'nothing'} revised to ${revise.end}.`,
      ['revise', 'end'],
    )
  if (revise.with) checkFields(revise.with, on, tell, ['revise', 'with'])
}

function endsOf(on: readonly Kind[]): string[] {
  const [first, ...others] = on.map((kind) => kind.ends)
  return (first ?? []).filter((end) => others.every((ends) => ends.includes(end)))
}

function checkEnd(end: string, on: readonly Kind[], tell: Tell): void {
  const unable = on.find((kind) => !kind.ends.includes(end))
  if (!unable) return
  const { ends, phrase, notEnds } = unable
  const others = on.length > 1 ? ' Make a rule of its own for it.' : ''
  // SUCCESS and SUCCEEDED are confused although their spelling is not near.
  const meant = /^SUCCE(SS|EDED)$/.test(end) ? ` Did you mean "${ends[0]}"?` : didYouMean(end, ends)
  const instead = notEnds && Object.hasOwn(notEnds, end) ? ` ${notEnds[end]}` : ''
  const possible = `Possible: ${ends.join(', ')}.${instead || meant || others}`
  tell(`${quote(end)} is not a state that ${phrase} can end in. ${possible}`, ['end'])
}

export function printOutcome(then: RuleOutcome): string {
  if (then.refuse) return `refuse ${then.refuse.status} ${then.refuse.code}`
  const fields = printFields(then.with)
  const when = then.after === null ? 'polled to' : `after ${printDelay(then.after)}`
  const polled = then.faults.untilPoll !== undefined
  const end = then.after === null && !polled ? 'never ends' : `${when} ${then.end}${fields}`
  const revise = then.revise
    ? `, then after ${printDelay(then.revise.after)} ${then.revise.end}${printFields(then.revise.with)}`
    : ''
  const prompt = then.promptUs === null ? '' : `prompt waits ${formatDuration(then.promptUs)} for the handset, `
  return `${printPay(then.pay)}${prompt}${end}${revise}${printPlannedFaults(then.faults)}`
}

function printFields(fields: JsonObject): string {
  const list = Object.entries(fields).map(([name, value]) => `${name} ${textOf(value)}`)
  return list.length > 0 ? ` (${list.join(', ')})` : ''
}
