/** The only way to change a world. */
import type { Command, CommandKind, CommandResult } from './commands.ts'
import type { Core } from './core.ts'
import { answerPrompt } from './engine/handlers/answer-prompt.ts'
import { applyResponseFault } from './engine/handlers/apply-response-fault.ts'
import { clearHits, clearJournal } from './engine/handlers/clear.ts'
import {
  addCredential,
  createOrganisation,
  issueToken,
  setCollectionCallback,
  setSubscription,
  subscribe,
} from './engine/handlers/create-organisation.ts'
import { fundFloat } from './engine/handlers/fund-float.ts'
import { fundWallet } from './engine/handlers/fund-wallet.ts'
import { holdPrompt } from './engine/handlers/hold-prompt.ts'
import { beginRun, endRun, removeRun } from './engine/handlers/keep-run.ts'
import { openPayment } from './engine/handlers/open-payment.ts'
import { leaveSession, paySession } from './engine/handlers/pay-session.ts'
import { pollPayment } from './engine/handlers/poll-payment.ts'
import { clearInbox, receiveInInbox, setInboxBehaviour } from './engine/handlers/receive-in-inbox.ts'
import { recordAttempt, redeliver, resumePausedCallbacks } from './engine/handlers/record-attempt.ts'
import { setClock } from './engine/handlers/set-clock.ts'
import { setScenario } from './engine/handlers/set-scenario.ts'
import { resolvePayment, signalPayment, stepPayment } from './engine/handlers/step-payment.ts'
import { toRecorded } from './engine/recorder.ts'

type Handlers = { [K in CommandKind]: (core: Core, input: Command<K>) => CommandResult<K> }

const handlers: Handlers = {
  'open-payment': openPayment,
  'step-payment': stepPayment,
  'signal-payment': signalPayment,
  'pay-session': paySession,
  'leave-session': leaveSession,
  'answer-prompt': answerPrompt,
  'hold-prompt': holdPrompt,
  'resolve-payment': resolvePayment,
  'poll-payment': pollPayment,
  'apply-response-fault': applyResponseFault,
  'fund-wallet': fundWallet,
  'fund-float': fundFloat,
  'create-organisation': createOrganisation,
  'add-credential': addCredential,
  'set-collection-callback': setCollectionCallback,
  subscribe,
  'set-subscription': setSubscription,
  'issue-token': issueToken,
  'record-attempt': recordAttempt,
  redeliver,
  'resume-callbacks': resumePausedCallbacks,
  'receive-in-inbox': receiveInInbox,
  'set-inbox-behaviour': setInboxBehaviour,
  'clear-inbox': clearInbox,
  'set-clock': setClock,
  'set-scenario': setScenario,
  'clear-hits': clearHits,
  'clear-journal': clearJournal,
  'begin-run': beginRun,
  'end-run': endRun,
  'remove-run': removeRun,
}

export function isCommand(name: string): name is CommandKind {
  return Object.hasOwn(handlers, name)
}

/**
 * Synchronous: reads, decides and writes. Throws a `Refusal` when the change is not allowed. Runs in a savepoint of the
 * group commit (`engine/group-commit.ts`), which undoes everything when it throws.
 */
export function perform<K extends CommandKind>(core: Core, command: { command: K } & Command<K>): CommandResult<K> {
  const handler: Handlers[K] = handlers[command.command]
  const work = () => handler(core, command)
  return core.recorder ? core.recorder.during(() => ({ command: toRecorded(command as Command) }), work) : work()
}
