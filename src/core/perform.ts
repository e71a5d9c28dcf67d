/** The only way to change a world. */
import type { Command, CommandKind, CommandResult } from './commands.ts'
import type { Core } from './core.ts'
import {
  clearInbox,
  receiveInInbox,
  recordAttempt,
  redeliver,
  resumePausedCallbacks,
  setInboxBehaviour,
} from './engine/callbacks.ts'
import {
  addCredential,
  createOrganisation,
  issueToken,
  setCollectionCallback,
  setSubscription,
  subscribe,
} from './engine/organisations.ts'
import {
  answerPrompt,
  fundFloat,
  fundWallet,
  holdPrompt,
  leaveSession,
  openPayment,
  paySession,
  pollPayment,
  resolvePayment,
  signalPayment,
  stepPayment,
} from './engine/payments.ts'
import { toRecorded } from './engine/recorder.ts'
import {
  applyResponseFault,
  beginRun,
  clearHits,
  clearJournal,
  endRun,
  removeRun,
  setClock,
  setScenario,
} from './engine/world-commands.ts'

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
