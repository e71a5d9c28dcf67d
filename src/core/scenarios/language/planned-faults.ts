/** Faults of a payment's answer and callback: read from a rule, drawn when it decides. */
import { type CallbackFaultRecord, callbackFaults, type UndrawnCallbackFault } from '../../model/callback-fault.ts'
import { printDelay } from '../../model/delays.ts'
import { readErrorAnswer } from '../../model/error-answer.ts'
import type { PlannedAnswerFault } from '../../model/faults.ts'
import { printErrorAnswer } from '../../model/faults.ts'
import type { CallbackFaultFile, PlannedFaultsFile } from './planned-fault-schema.ts'

export interface PlannedFaults {
  answer?: PlannedAnswerFault
  twice?: true
  untilPoll?: number
  callback?: UndrawnCallbackFault
}

const records: Readonly<Record<string, CallbackFaultRecord | undefined>> = callbackFaults

export function readPlannedFaults({ answer, twice, until, callback }: PlannedFaultsFile): PlannedFaults {
  return {
    ...(answer !== undefined && { answer: typeof answer === 'string' ? answer : readErrorAnswer(answer) }),
    ...(twice && { twice }),
    ...(until && { untilPoll: until.poll }),
    ...(callback && { callback: readCallbackFault(callback) }),
  }
}

export function readCallbackFault(file: CallbackFaultFile): UndrawnCallbackFault {
  const read = Object.entries(file).map(([name, value]) => records[name]?.read?.(value) ?? { [name]: value })
  return Object.assign({}, ...read)
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
  const words = Object.entries(rest).map(([key, value]) => {
    const print = records[key]?.print
    if (print) return print(value)
    return value === true || typeof value === 'object' ? key : `${key} ${value}`
  })
  return [...(delay ? [`delay ${printDelay(delay)}`] : []), ...words].join(', ')
}
