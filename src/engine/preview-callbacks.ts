import { retryAfter } from '../callbacks/retries.ts'
import { type CallbackFault, describeCallbackFault, REORDER_AT_MOST_US } from '../model/faults.ts'
import { formatDuration, type InstantUs } from '../model/time.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import type { PreviewStep } from './preview.ts'

/** So many retries are shown one by one. */
const SHOWN_RETRIES = 5

export interface Telling {
  scenario: Pick<Scenario, 'assumptions' | 'callbacks'>
  fault: CallbackFault | undefined
  /** What the callback says. */
  status: string
  atUs: InstantUs
  /** It is the payment's first. */
  first: boolean
}

/** One callback: its first attempt, those that the scenario makes necessary, and those that the receiver would. */
export function previewCallback({ scenario, fault, status, atUs: fromUs, first }: Telling): PreviewStep[] {
  const says = `callback ${fault?.status ?? status}`
  const faulty = fault ? ` (${describeCallbackFault(fault, formatDuration)})` : ''
  if (fault?.drop) return [{ atUs: fromUs, from: 'mfano', to: 'mfano', what: `${says} is written, and never sent` }]
  const policy = { ...scenario.callbacks, ...fault?.retry }
  const accepted = scenario.assumptions['callback-success'] === '200' ? '200' : '2xx'
  const held = fault?.reorder === true && first
  const steps: PreviewStep[] = []
  const tell = (at: InstantUs, what: string, only?: string) =>
    steps.push({ atUs: at, from: 'mfano', to: 'merchant', what, ...(only !== undefined && { only }) })

  let atUs = fromUs + (fault?.reorder && !held ? 0 : (fault?.delayUs ?? (held ? REORDER_AT_MOST_US : 0)))
  for (let attempt = 1; ; attempt++) {
    const lost = attempt <= policy.loseAnswers
    const certain = attempt <= policy.loseAnswers + 1
    const which = attempt === 1 ? faulty : ` again, attempt ${attempt} of ${policy.attempts}`
    const what = `${says}${which}${lost ? '; its answer is lost on the way back' : ''}`
    const only = certain ? undefined : `no attempt before was answered with ${accepted}`
    const waitUs = retryAfter(policy, attempt)
    if (!certain && attempt > policy.loseAnswers + SHOWN_RETRIES && waitUs !== null) {
      tell(atUs, `${what}, and ${policy.attempts - attempt} more`, only)
      return steps
    }
    tell(atUs, what, only)
    if (attempt === 1 && fault?.together)
      for (let copy = 2; copy <= (fault.duplicate ?? 1); copy++)
        tell(atUs, `${says} at the same time, ${copy} of ${fault.duplicate}`)
    if (certain && !lost && !fault?.together)
      for (let again = attempt + 1; again <= (fault?.duplicate ?? 1); again++)
        tell(atUs, `${says} again although it was received, ${again} of ${fault?.duplicate}`)
    if (waitUs === null) return steps
    atUs += waitUs
  }
}
