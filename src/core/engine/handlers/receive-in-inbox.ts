/** Commands on the built-in receivers of callbacks. */
import type { Command, CommandResult } from '../../commands.ts'
import type { Core } from '../../core.ts'
import { inboxAnswer, PLAIN } from '../../model/inbox-behaviour.ts'

export function receiveInInbox(
  core: Core,
  { name, headers, body, signature, asked }: Command<'receive-in-inbox'>,
): CommandResult<'receive-in-inbox'> {
  const { inbox, counters } = core.store
  const known = inbox.behaviour(name, asked?.query ?? '')
  const behaviour = known ??
    (asked && { asked: asked.query, settings: asked.settings, taken: 0 }) ?? { asked: '', settings: PLAIN, taken: 0 }
  const { settings, taken } = behaviour
  const answer = inboxAnswer(settings, taken)
  // One that nobody gave a behaviour has none to remember.
  if (known || asked) inbox.saveBehaviour(name, { ...behaviour, taken: taken + 1 })
  const message = {
    id: counters.next('inbox'),
    name,
    atUs: core.clock.now(),
    headers,
    body,
    answered: answer.token,
    signature,
  }
  inbox.add(message)
  core.emit({ type: 'inbox', atUs: message.atUs, id: message.id, name })
  return { message, answer, settings }
}

/** `replace`: unnamed settings return to their defaults; otherwise they stay. */
export function setInboxBehaviour(
  core: Core,
  { name, settings, replace }: Command<'set-inbox-behaviour'>,
): CommandResult<'set-inbox-behaviour'> {
  const { inbox } = core.store
  const before = inbox.behaviour(name, '') ?? { asked: '', settings: PLAIN, taken: 0 }
  const begins = replace || settings.answers !== undefined
  const after = {
    asked: '',
    settings: { ...(replace ? PLAIN : before.settings), ...settings },
    taken: begins ? 0 : before.taken,
  }
  inbox.saveBehaviour(name, after)
  return after
}

export function clearInbox(core: Core, { name }: Command<'clear-inbox'>): CommandResult<'clear-inbox'> {
  core.store.inbox.clear(name)
  return { name }
}
