/** Reads and checks rules, ready to decide. */
import { CONDITIONS_PAGE, type Condition, compileCondition } from '../../expressions.ts'
import { isInstant, isRevisable } from '../../lifecycle.ts'
import { textOf } from '../../model/as-text.ts'
import { type Delay, parseSettlement, printDelay, type SpreadFile } from '../../model/delays.ts'
import { didYouMean } from '../../model/did-you-mean.ts'
import type { Kind, Kinds } from '../../model/kind.ts'
import type { JsonObject, PaymentKind } from '../../model/payment.ts'
import { capital, type Path, printPath, quote, type Tell } from '../../model/problems.ts'
import type { Service } from '../../model/simulated-service.ts'
import { type DurationUs, formatDuration, parseDuration } from '../../model/time.ts'
import type { SourceText } from '../../source-text.ts'
import { type Paying, printPay, readPay } from './paying.ts'
import { type PlannedFaults, printPlannedFaults, readPlannedFaults } from './planned-faults.ts'
import { type RefusalAnswer, readRefusal } from './refuse-schema.ts'
import type { EndingFile, RuleFile } from './scenario-schema.ts'
import { checkFields, settlementOrNever } from './schema-parts.ts'
import { readSelector, reportTurn, type Selector } from './selector.ts'

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

export function readRule(rule: RuleFile, index: number, source: SourceText, service: Service): Rule {
  const { kinds } = service
  const path: Path = ['rules', index]
  const written = Array.isArray(rule.on) ? rule.on : [rule.on]
  const on = written.includes('any') ? [...kinds] : [...new Set(written)].map((name) => kinds.of(name))
  reportTurn(rule.nth, on, path, source)
  const conditionOn = readConditions(rule.when, on, [...path, 'when'], source, kinds)
  return {
    ...readSelector(rule, path, source, { name: rule.name, on: on.map(({ name }) => name), conditionOn }),
    then:
      'refuse' in rule.then
        ? { refuse: readRefusal(rule.then.refuse) }
        : readEnding(rule.then, on, [...path, 'then'], source, service),
    written: rule,
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

function readEnding(
  then: EndingFile,
  on: readonly Kind[],
  path: Path,
  source: SourceText,
  service: Service,
): RuleOutcome {
  const report = (key: string, message: string) =>
    source.report(source.offsetOf([...path, key]), printPath([...path, key]), message)
  const tell: Tell = (message, below = [], at = undefined) => {
    const found = [...path, ...below]
    source.report(at === 'key' ? source.keyOffsetOf(found) : source.offsetOf(found), printPath(found), message)
  }
  const faults = readPlannedFaults(then, on, path, source, service)
  if (then.after === undefined && !then.until) {
    const at = [...path, 'after']
    source.report(source.offsetOf(at), printPath(at), `"after" is missing. Expected ${settlementOrNever.description}.`)
  }
  // A read ends it, and time does not.
  const after = then.after === 'never' || !then.after ? null : readDelay(then.after, [...path, 'after'], source)
  if (then.end === undefined && then.after !== 'never') {
    source.report(
      source.offsetOf(path),
      printPath([...path, 'end']),
      `"end" is missing. Possible: ${endsOf(on).join(', ')}. Only after: never goes without.`,
    )
  }
  if (then.end !== undefined) readEnd(then.end, on, [...path, 'end'], source)
  if (then.with) checkFields(then.with, on, tell, ['with'])

  // Needs the lifecycle of each kind, so a text that was checked before skips it.
  const instant = source.checked ? undefined : on.find(isInstant)
  if (instant && (after === null || after.toUs > 0)) {
    report('after', `${capital(instant.phrase)} is over at once. Write after: 0s, or refuse it.`)
  }
  const paidLater = on.find((kind) => kind.page)
  if (after?.banking && paidLater)
    report(
      'after',
      `${capital(paidLater.phrase)} waits for a customer and not for a bank. Write simulated time, such as 2s.`,
    )
  let revise: { after: Delay; end: string; with: JsonObject } | null = null
  if (then.revise) {
    const unable = on.find((kind) => !isRevisable(kind))
    if (unable) report('revise', `${capital(unable.phrase)} cannot be revised. Make a rule without revise for it.`)
    else if (![then.end, then.revise.end].includes('SUCCESS') || ![then.end, then.revise.end].includes('FAILED')) {
      source.report(
        source.offsetOf([...path, 'revise', 'end']),
        printPath([...path, 'revise', 'end']),
        `SUCCESS can be revised to FAILED, and FAILED to SUCCESS. Found ${then.end ?? 'nothing'} revised to ${then.revise.end}.`,
      )
    }
    if (then.revise.with) checkFields(then.revise.with, on, tell, ['revise', 'with'])
    revise = {
      after: readDelay(then.revise.after, [...path, 'revise', 'after'], source),
      end: then.revise.end,
      with: then.revise.with ?? {},
    }
  }
  const without = on.find((kind) => !kind.page)
  if (then.pay && without)
    report('pay', `Only a checkout session is paid by a customer, and this rule decides ${without.phrase}. Remove pay.`)
  if (then.pay && then.end === 'EXPIRED')
    report('pay', 'A session that is paid does not expire. Remove pay, or write another end.')
  if (then.prompt !== undefined && without)
    report(
      'prompt',
      `Only a checkout session waits for an answer on the handset, and this rule decides ${without.phrase}. Write after and end for when nobody answers.`,
    )
  if (then.prompt !== undefined && then.pay?.confirm !== undefined)
    report(
      'prompt',
      'Either the handset answers the prompt, or it is confirmed by itself. Remove prompt or pay.confirm.',
    )
  const promptUs = then.prompt === undefined ? null : (parseDuration(then.prompt) ?? null)
  const pay = then.pay ? readPay(then.pay, [...path, 'pay'], source) : null
  return { after, end: then.end ?? on[0]?.ends[0] ?? '', with: then.with ?? {}, revise, pay, promptUs, faults }
}

function readDelay(text: string | SpreadFile, path: Path, source: SourceText): Delay {
  const delay = parseSettlement(text)
  if (typeof delay !== 'string') return delay
  source.report(source.offsetOf(path), printPath(path), delay)
  return { fromUs: 0, toUs: 0 }
}

function endsOf(on: readonly Kind[]): string[] {
  const [first, ...others] = on.map((kind) => kind.ends)
  return (first ?? []).filter((end) => others.every((ends) => ends.includes(end)))
}

function readEnd(end: string, on: readonly Kind[], path: Path, source: SourceText): void {
  const unable = on.find((kind) => !kind.ends.includes(end))
  if (!unable) return
  const { ends, phrase, notEnds } = unable
  const others = on.length > 1 ? ' Make a rule of its own for it.' : ''
  // SUCCESS and SUCCEEDED are confused although their spelling is not near.
  const meant = /^SUCCE(SS|EDED)$/.test(end) ? ` Did you mean "${ends[0]}"?` : didYouMean(end, ends)
  const instead = notEnds && Object.hasOwn(notEnds, end) ? ` ${notEnds[end]}` : ''
  const message = `${quote(end)} is not a state that ${phrase} can end in. Possible: ${ends.join(', ')}.${instead || meant || others}`
  source.report(source.offsetOf(path), printPath(path), message)
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
