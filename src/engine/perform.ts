/** The one door for change. */
import type { Command, CommandKind, Result } from './commands.ts'
import type { Core } from './core.ts'
import { answerPrompt } from './handlers/answer-prompt.ts'
import { recordAttempt, redeliver } from './handlers/callbacks.ts'
import { setClock } from './handlers/clock.ts'
import { fundFloat } from './handlers/floats.ts'
import { clearInbox, receiveInInbox, setInboxBehaviour } from './handlers/inbox.ts'
import { meetFault } from './handlers/meet-fault.ts'
import { openPayment } from './handlers/open-payment.ts'
import {
  addCredential,
  createOrganisation,
  issueToken,
  setCollectionCallback,
  setSubscription,
  subscribe,
} from './handlers/organisations.ts'
import { paySession } from './handlers/pay-session.ts'
import { pollPayment } from './handlers/poll-payment.ts'
import { setScenario } from './handlers/scenario.ts'
import { resolvePayment, signalPayment, stepPayment } from './handlers/step-payment.ts'
import { fundWallet } from './handlers/wallets.ts'

type Handlers = { [K in CommandKind]: (core: Core, input: Command<K>) => Result<K> }

const handlers: Handlers = {
  'open-payment': openPayment,
  'step-payment': stepPayment,
  'signal-payment': signalPayment,
  'pay-session': paySession,
  'answer-prompt': answerPrompt,
  'resolve-payment': resolvePayment,
  'poll-payment': pollPayment,
  'meet-fault': meetFault,
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
  'receive-in-inbox': receiveInInbox,
  'set-inbox-behaviour': setInboxBehaviour,
  'clear-inbox': clearInbox,
  'set-clock': setClock,
  'set-scenario': setScenario,
}

/**
 * The one door for change. Synchronous: reads, decides and writes; throws a `Refusal` when it may not. Runs inside a
 * savepoint of the group commit (`engine/group-commit.ts`), which takes everything back when it throws.
 */
export function perform<K extends CommandKind>(core: Core, command: { command: K } & Command<K>): Result<K> {
  return (handlers[command.command] as (core: Core, input: Command<K>) => Result<K>)(core, command)
}
