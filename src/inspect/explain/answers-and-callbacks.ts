/** Explains what the merchant received: the answer, the callbacks, and each attempt. */

import type { Core } from '../../core/core.ts'
import { zonedText } from '../../core/model/calendar.ts'
import type { Attempt, Callback } from '../../core/model/callback.ts'
import { describeCallbackFault } from '../../core/model/callback-fault.ts'
import { LANE } from '../../core/model/due.ts'
import type { JournalEntry } from '../../core/model/journal.ts'
import { maskPath } from '../../core/model/mask.ts'
import { isoInstant } from '../../core/model/time.ts'

export function answerLinks(entries: readonly JournalEntry[]) {
  return entries.map((entry) => {
    const again = `The same reference came again (${entry.requestId}), and this payment answers for it. `
    const { replayed, fault, unread, warnings } = entry.notes ?? {}
    return {
      at: isoInstant(entry.atUs),
      station: replayed ? ('repeat' as const) : ('answer' as const),
      text: `${replayed ? again : ''}${answered(entry)}`,
      requestId: entry.requestId,
      status: entry.status,
      fault: fault ?? null,
      unreadFields: unread ?? [],
      warnings: warnings ?? [],
    }
  })
}

function answered({ status, notes }: JournalEntry): string {
  const unread = notes?.unread ? `; nothing read ${notes.unread.join(', ')}` : ''
  const warnings = notes?.warnings ? `; ${notes.warnings.join('; ')}` : ''
  const answer = status === 0 ? 'Not answered' : `Answered ${status}`
  return `${answer}${notes?.fault ? ` (${notes.fault})` : ''}${unread}${warnings}`
}

export function callbackLinks(core: Core, callbacks: readonly Callback[]) {
  return callbacks.flatMap((callback) => [
    callbackLink(callback),
    ...core.store.callbacks.attemptsOf(callback.id).map((attempt) => attemptLink(core, callback, attempt)),
  ])
}

function callbackLink(callback: Callback) {
  const body: Record<string, unknown> = JSON.parse(callback.body)
  const says = typeof body['status'] === 'string' ? ` says ${body['status']}` : ''
  const { fault } = callback
  const faulty = fault === null ? '' : `; "${fault.by}": ${describeCallbackFault(fault)}`
  return {
    at: isoInstant(callback.createdAtUs),
    station: 'callback' as const,
    text: `Callback ${callback.id}${says}, for ${maskPath(callback.url)}${faulty}`,
    callback: callback.id,
    uid: callback.uid,
    url: maskPath(callback.url),
    state: callback.state,
    body,
  }
}

function attemptLink(core: Core, callback: Callback, attempt: Attempt) {
  const { number, status, tookMs, error, responseBody, diagnosis } = attempt
  const next = number === callback.attempts ? core.store.agenda.of(LANE.deliveries, callback.id)[0] : undefined
  const again = next ? `; tried again at ${zonedText(next.dueAtUs, core.scenario.zone)}` : ''
  return {
    // The clock may still show an instant before the callback's stamp.
    at: isoInstant(Math.max(attempt.sentAtUs, callback.createdAtUs)),
    station: 'attempt' as const,
    text: `Attempt ${number} of callback ${callback.id}: ${tried(attempt)}${again}`,
    callback: callback.id,
    number,
    url: attempt.url,
    status,
    tookMs,
    responseBody,
    error,
    diagnosis,
  }
}

function tried({ error, diagnosis, status, tookMs }: Attempt): string {
  if (error !== null) return `${error}${diagnosis ? `, because ${diagnosis.why}` : ''}`
  const odd = diagnosis ? `, but ${diagnosis.what}: ${diagnosis.why}` : ''
  return `received, answered ${status} in ${tookMs} ms${odd}`
}
