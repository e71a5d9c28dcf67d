/**
 * Diagnoses an attempt to deliver a callback: what is wrong, why, and what to do. Pure, so that an attempt keeps its
 * diagnosis.
 */
import { diagnoseAnswer, oddSuccess } from './callbacks/diagnose-answer.ts'
import { badAddress, diagnoseFailure } from './callbacks/diagnose-failure.ts'
import type { Tried } from './model/attempt.ts'
import type { Diagnosis } from './model/diagnosis.ts'

export function diagnose(tried: Tried): Diagnosis | null {
  const { url, sentTo, outcome } = tried
  if ('status' in outcome && isReceived(tried)) return oddSuccess(outcome)
  const target = sentTo ?? URL.parse(url)
  if (!target || !/^https?:$/.test(target.protocol)) return badAddress(url)
  const diagnosis =
    'status' in outcome ? diagnoseAnswer(tried, target, outcome) : diagnoseFailure(tried, target, outcome)
  if (!diagnosis || tried.forwarder === undefined) return diagnosis
  // "This machine" is then the one that forwards.
  return { ...diagnosis, what: `${tried.forwarder} forwarded it: ${diagnosis.what}` }
}

export function isReceived({ outcome, success }: Pick<Tried, 'outcome' | 'success'>): boolean {
  if (!('status' in outcome)) return false
  return success === '200' ? outcome.status === 200 : outcome.status >= 200 && outcome.status < 300
}

export function answerLost(status: number): Diagnosis {
  return {
    code: 'answer-lost',
    what: `the scenario lost the receiver's answer (${status}) on its way back`,
    why: 'callbacks.loseAnswers of the scenario rehearses an answer that never arrives; nothing is wrong with the receiver',
    todo: 'Expect the same callback again, and take both as one.',
  }
}
