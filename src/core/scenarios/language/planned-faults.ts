/** Faults of a payment's answer and callback: read from a rule, drawn when it decides. */
import { isInstant, waitsForRail } from '../../lifecycle.ts'
import {
  type CallbackFaultName,
  type CallbackFaultRecord,
  callbackFaults,
  type UndrawnCallbackFault,
} from '../../model/callback-fault.ts'
import { printDelay } from '../../model/delays.ts'
import { readErrorAnswer } from '../../model/error-answer.ts'
import type { PlannedAnswerFault } from '../../model/faults.ts'
import { printErrorAnswer } from '../../model/faults.ts'
import type { Kind, Kinds } from '../../model/kind.ts'
import { keysIn } from '../../model/must.ts'
import { capital, type Path, printPath, quote } from '../../model/problems.ts'
import { openingOf, type Service } from '../../model/simulated-service.ts'
import { parseDuration } from '../../model/time.ts'
import type { SourceText } from '../../source-text.ts'
import type { CallbackFaultFile, PlannedFaultsFile } from './planned-fault-schema.ts'
import type { EndingFile } from './scenario-schema.ts'

export interface PlannedFaults {
  answer?: PlannedAnswerFault
  twice?: true
  untilPoll?: number
  callback?: UndrawnCallbackFault
}

function isPolled(kind: Kind): boolean {
  return kind.record !== undefined && !isInstant(kind)
}

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
      typeof then.answer === 'string'
        ? then.answer
        : readErrorAnswer(then.answer, (message) => {
            const at = [...path, 'answer']
            source.report(source.offsetOf(at), printPath(at), message)
          })
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

export function readCallbackFault(
  file: CallbackFaultFile,
  on: readonly Kind[],
  path: Path,
  source: SourceText,
): UndrawnCallbackFault {
  const report = (key: string, message: string) =>
    source.report(source.keyOffsetOf([...path, key]), printPath([...path, key]), message)
  const written = keysIn(file).map((name) => [name, file[name]] as const)
  if (written.length === 0)
    source.report(source.offsetOf(path), printPath(path), 'Nothing goes wrong here. Write, for example, drop: true.')
  const records: Readonly<Record<CallbackFaultName, CallbackFaultRecord>> = callbackFaults
  const outcome: UndrawnCallbackFault = {}
  for (const [name, value] of written) {
    const { excludes, needsStatus, read } = records[name]
    const statusless = needsStatus && on.find((kind) => kind.callback?.withoutStatus)
    if (statusless)
      report(name, `The callback of ${statusless.phrase} says no ${name}. Make a fault without ${name} for it.`)
    const beside = written.find(([other]) => other !== name && (!excludes?.names || excludes.names.includes(other)))
    if (excludes && beside)
      report(beside[0], `${quote(beside[0])} cannot stand beside ${quote(name)}: ${excludes.why}.`)
    const kept = read ? read(value) : { [name]: value }
    if (typeof kept === 'string') report(name, kept)
    else Object.assign(outcome, kept)
  }
  return outcome
}

export function printPlannedFaults({ answer, twice, untilPoll, callback }: PlannedFaults): string {
  const parts = [
    untilPoll !== undefined && `at the read number ${untilPoll}`,
    answer && (typeof answer === 'string' ? `answer ${answer}` : `answered ${printErrorAnswer(answer)}`),
    twice && 'executed twice',
    callback && `callback ${printCallback(callback)}`,
  ].filter(Boolean)
  return parts.length > 0 ? ` (${parts.join(', ')})` : ''
}

export function printCallback({ delay, ...rest }: UndrawnCallbackFault): string {
  const records: Readonly<Record<string, CallbackFaultRecord | undefined>> = callbackFaults
  const words = Object.entries(rest).map(([key, value]) => {
    const print = records[key]?.print
    if (print) return print(value)
    return value === true || typeof value === 'object' ? key : `${key} ${value}`
  })
  return [...(delay ? [`delay ${printDelay(delay)}`] : []), ...words].join(', ')
}

function namesOf(kinds: readonly Kind[]): string {
  return kinds.map(({ name }) => name).join(', ')
}
