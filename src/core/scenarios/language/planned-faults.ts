/** What goes wrong with the answer and the callback of a payment: read from a rule, drawn when it decides. */
import { isInstant, waitsForRail } from '../../lifecycle.ts'
import { didYouMean } from '../../model/did-you-mean.ts'
import type { CallbackFault, ErrorAnswer, PlannedAnswerFault } from '../../model/faults.ts'
import type { Kind, Kinds } from '../../model/kind.ts'
import { type Path, printPath, quote } from '../../model/problems.ts'
import { type RefusalCode, refusalCatalogue, refusalCodes } from '../../model/refusal.ts'
import { openingOf, type Service } from '../../model/simulated-service.ts'
import { type DurationUs, parseDuration } from '../../model/time.ts'
import type { SourceText } from '../../source-text.ts'
import { type Delay, parseDelay, printDelay } from './durations.ts'
import type { CallbackFaultFile, ErrorAnswerFile, PlannedFaultsFile } from './planned-fault-schema.ts'
import type { EndingFile } from './scenario-schema.ts'

/** A callback's fault whose delay is still to be drawn. */
export type UndrawnCallbackFault = Omit<CallbackFault, 'by' | 'delayUs'> & { delay?: Delay }

/** What a rule adds to a plan. */
export interface PlannedFaults {
  answer?: PlannedAnswerFault
  twice?: true
  untilPoll?: number
  callback?: UndrawnCallbackFault
}

/** Whether a merchant can read payments of a kind one by one while they are pending. */
function isPolled(kind: Kind): boolean {
  return kind.record !== undefined && !isInstant(kind)
}

/** Reads the faults of a rule's `then`; what is impossible for one of its kinds is reported. */
export function readPlannedFaults(
  then: PlannedFaultsFile & Pick<EndingFile, 'after'>,
  on: readonly Kind[],
  path: Path,
  source: SourceText,
  service: Service,
): PlannedFaults {
  const report = (key: string, message: string) =>
    source.report(source.keyOffsetOf([...path, key]), printPath([...path, key]), message)
  const faults: PlannedFaults = {}
  const unasked = on.find((kind) => !openingOf(service, kind.name))
  if (unasked && (then.answer !== undefined || then.twice)) {
    const what = then.answer === undefined ? 'twice' : 'answer'
    report(what, `No request of a merchant makes ${unasked.phrase}. Make a rule without ${what} for it.`)
  }
  if (then.answer !== undefined)
    faults.answer =
      typeof then.answer === 'string' ? then.answer : readErrorAnswer(then.answer, [...path, 'answer'], source)
  if (then.twice) faults.twice = true
  if (then.until) {
    const unread = on.find((kind) => !isPolled(kind))
    if (unread)
      report(
        'until',
        `${capital(unread.phrase)} is not polled to its end. Possible: ${namesOf(service.kinds.filter(isPolled))}.`,
      )
    if (then.after !== undefined) report('after', 'Reading it ends it, not time. Remove after, or remove until.')
    faults.untilPoll = then.until.poll
  }
  if (then.callback) {
    const at = [...path, 'callback']
    const untold = on.find((kind) => !kind.callback)
    if (untold) report('callback', `Nobody is told about ${untold.phrase}. Make a rule without callback for it.`)
    faults.callback = readCallbackFault(then.callback, on, at, source)
    if (then.callback.early) readEarly(then, on, at, source, service.kinds)
  }
  return faults
}

function readEarly(
  then: PlannedFaultsFile & Pick<EndingFile, 'after'>,
  on: readonly Kind[],
  path: Path,
  source: SourceText,
  kinds: Kinds,
): void {
  if (!readEarlyKinds(on, path, source, kinds)) return
  if (typeof then.after === 'string' && parseDuration(then.after) === 0) return
  source.report(
    source.keyOffsetOf([...path, 'early']),
    printPath([...path, 'early']),
    'The merchant is told before the answer, so the end comes at once. Write after: 0s beside end.',
  )
}

/** Whether all of the kinds can end before their answer; reports one that cannot. */
export function readEarlyKinds(on: readonly Kind[], path: Path, source: SourceText, kinds: Kinds): boolean {
  const unable = on.find((kind) => !waitsForRail(kind))
  if (!unable) return true
  source.report(
    source.keyOffsetOf([...path, 'early']),
    printPath([...path, 'early']),
    `${capital(unable.phrase)} has no end before its answer. Possible: ${namesOf(kinds.filter(waitsForRail))}.`,
  )
  return false
}

/** Reads a callback's fault; combinations that cancel each other are reported. */
export function readCallbackFault(
  file: CallbackFaultFile,
  on: readonly Kind[],
  path: Path,
  source: SourceText,
): UndrawnCallbackFault {
  const report = (key: string, message: string) =>
    source.report(source.keyOffsetOf([...path, key]), printPath([...path, key]), message)
  const keys = Object.keys(file) as (keyof CallbackFaultFile)[]
  if (keys.length === 0)
    source.report(source.offsetOf(path), printPath(path), 'Nothing goes wrong here. Write, for example, drop: true.')
  const statusless = on.find((kind) => kind.callback?.withoutStatus)
  if (file.status !== undefined && statusless)
    report('status', `The callback of ${statusless.phrase} says no status. Make a fault without status for it.`)
  if (file.drop && keys.length > 1) {
    const other = keys.find((key) => key !== 'drop') as string
    report(other, `${quote(other)} cannot stand beside "drop": what is never sent cannot go wrong otherwise.`)
  }
  if (file.early && (file.delay !== undefined || file.reorder)) {
    const other = file.reorder ? 'reorder' : 'delay'
    report(other, `${quote(other)} cannot stand beside "early": it is either sent before the answer or later.`)
  }
  const { delay, retry, duplicate, ...rest } = file
  const outcome: UndrawnCallbackFault = Object.fromEntries(
    Object.entries(rest).filter(([, value]) => value !== undefined),
  )
  if (typeof duplicate === 'number') outcome.duplicate = duplicate
  else if (duplicate) Object.assign(outcome, { duplicate: duplicate.times }, duplicate.together && { together: true })
  if (delay !== undefined) {
    const read = parseDelay(delay)
    if (typeof read === 'string')
      source.report(source.offsetOf([...path, 'delay']), printPath([...path, 'delay']), read)
    else outcome.delay = read
  }
  if (retry) {
    outcome.retry = {}
    if (retry.attempts !== undefined) outcome.retry.attempts = retry.attempts
    if (retry.backoff) outcome.retry.backoffUs = retry.backoff.map((text) => parseDuration(text) as DurationUs)
  }
  return outcome
}

/** Fills in code or status from the published table. */
export function readErrorAnswer(file: ErrorAnswerFile, path: Path, source: SourceText): ErrorAnswer {
  const report = (message: string) => source.report(source.offsetOf(path), printPath(path), message)
  const { status, code, message } = file
  const known = code === undefined ? undefined : refusalCatalogue[code as RefusalCode]
  const suggestion = known || code === undefined ? '' : didYouMean(code, refusalCodes)
  if (suggestion !== '') report(`${quote(code as string)} is not one of the published codes.${suggestion}`)
  else if (code !== undefined && !known && status === undefined)
    report(`${quote(code)} is not one of the published codes, so it needs its status: status: 500.`)
  else if (code === undefined && status === undefined) report('"status" is missing. Write, for example, status: 500.')
  const usual = refusalCodes.findLast((one) => refusalCatalogue[one].status === status)
  if (code === undefined && status !== undefined && !usual)
    report(`No published code has the status ${status}. Add one of your own: code: BAD_GATEWAY.`)
  return {
    status: status ?? known?.status ?? 500,
    code: code ?? (status === 500 ? 'SERVER_ERROR' : (usual ?? 'SERVER_ERROR')),
    ...(message !== undefined && { message }),
  }
}

/** ` (answered 500 SERVER_ERROR, executed twice, callback never sent)`, or nothing. */
export function printPlannedFaults({ answer, twice, untilPoll, callback }: PlannedFaults): string {
  const parts = [
    untilPoll !== undefined && `at the read number ${untilPoll}`,
    answer && (typeof answer === 'string' ? `answer ${answer}` : `answered ${answer.status} ${answer.code}`),
    twice && 'executed twice',
    callback && `callback ${printCallback(callback)}`,
  ].filter(Boolean)
  return parts.length > 0 ? ` (${parts.join(', ')})` : ''
}

/** `drop`, `delay 10m, duplicate 2`. */
export function printCallback({ delay, ...rest }: UndrawnCallbackFault): string {
  const words = Object.entries(rest).map(([key, value]) => {
    if (key === 'extra') return `extra ${Object.keys(value as object).join(' and ')}`
    if (value === true || typeof value === 'object') return key
    return `${key} ${value}`
  })
  return [...(delay ? [`delay ${printDelay(delay)}`] : []), ...words].join(', ')
}

function namesOf(kinds: readonly Kind[]): string {
  return kinds.map(({ name }) => name).join(', ')
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
