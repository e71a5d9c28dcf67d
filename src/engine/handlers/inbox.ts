import type { Command, Result } from '../commands.ts'
import type { Core } from '../core.ts'

/** The built-in receiver takes a callback. */
export function receiveInInbox(
  core: Core,
  { name, headers, body }: Command<'receive-in-inbox'>,
): Result<'receive-in-inbox'> {
  const message = { id: core.store.counters.next('inbox'), name, atUs: core.clock.now(), headers, body }
  core.store.inbox.add(message)
  core.happened({ type: 'inbox', atUs: message.atUs, id: message.id, name })
  return message
}
