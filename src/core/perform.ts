/** The one door by which payments and money change: each command with its handler. */
import type { Core } from './core.ts'
import * as callbacks from './engine/callbacks.ts'
import * as organisations from './engine/organisations.ts'
import * as payer from './engine/payer.ts'
import * as payments from './engine/payments.ts'
import * as worldCommands from './engine/world-commands.ts'
import { LANE } from './model/due.ts'
import type { InstantUs } from './model/time.ts'
import { toRecorded } from './recording.ts'

const handlers = {
  'open-payment': payments.openPayment,
  'step-payment': payments.stepPayment,
  'signal-payment': payments.signalPayment,
  'pay-session': payer.paySession,
  'leave-session': payer.leaveSession,
  'answer-prompt': payer.answerPrompt,
  'hold-prompt': payer.holdPrompt,
  'resolve-payment': payments.resolvePayment,
  'poll-payment': payments.pollPayment,
  'apply-response-fault': worldCommands.applyResponseFault,
  'fund-wallet': payments.fundWallet,
  'fund-float': payments.fundFloat,
  'create-organisation': organisations.createOrganisation,
  'add-credential': organisations.addCredential,
  'set-collection-callback': organisations.setCollectionCallback,
  subscribe: organisations.subscribe,
  'set-subscription': organisations.setSubscription,
  'issue-token': organisations.issueToken,
  'record-attempt': callbacks.recordAttempt,
  redeliver: callbacks.redeliver,
  'resume-callbacks': callbacks.resumePausedCallbacks,
  'receive-in-inbox': callbacks.receiveInInbox,
  'set-inbox-behaviour': callbacks.setInboxBehaviour,
  'clear-inbox': callbacks.clearInbox,
  'set-clock': worldCommands.setClock,
  'set-scenario': worldCommands.setScenario,
  'clear-journal': worldCommands.clearJournal,
  'begin-run': worldCommands.beginRun,
  'end-run': worldCommands.endRun,
  'remove-run': worldCommands.removeRun,
}

type Handlers = typeof handlers
export type CommandKind = keyof Handlers
type Input<K extends CommandKind> = Parameters<Handlers[K]> extends [Core, infer Given] ? Given : object
export type Command<K extends CommandKind = CommandKind> = { [C in K]: { command: C } & Input<C> }[K]
export type CommandResult<K extends CommandKind> = ReturnType<Handlers[K]>

type ByName = { [K in CommandKind]: (core: Core, input: Input<K>) => CommandResult<K> }
const byName: ByName = handlers

export function isCommand(name: string): name is CommandKind {
  return Object.hasOwn(handlers, name)
}

/**
 * Synchronous: reads, decides and writes. Throws a `Refusal` when the change is not allowed. Runs in a savepoint of the
 * group commit (`engine/group-commit.ts`), which undoes everything when it throws.
 */
export function perform<K extends CommandKind>(core: Core, command: { command: K } & Command<K>): CommandResult<K> {
  const handler: ByName[K] = byName[command.command]
  const work = () => handler(core, command)
  return core.recorder ? core.recorder.during(() => ({ command: toRecorded(command) }), work) : work()
}

export function takeDue(core: Core, byUs: InstantUs, limit: number): number {
  const { agenda, payments, ledger } = core.store
  const rows = agenda.due(LANE.steps, byUs, limit)
  const last = rows.at(-1)
  if (!last) return 0
  if (rows.length > 1) {
    payments.readAhead(last)
    ledger.readAhead(last)
  }
  const work = () => {
    core.commit.attemptAll(
      rows,
      ({ subject: seq, event }) => perform(core, { command: 'step-payment', seq, event }),
      (error, { subject, event }) => core.observer.error(error, `step ${event} of payment ${subject}`),
    )
    agenda.removeThrough(LANE.steps, last)
    core.commit.afterCommit(() => core.observer.stepped?.(rows.length))
  }
  if (core.recorder) core.recorder.during(() => ({ steps: { byUs, limit } }), work)
  else work()
  return rows.length
}
