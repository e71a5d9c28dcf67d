/** How an inbox's answer really goes out: late, never, or not at all. */
import type { CommandResult } from '../../../core/commands.ts'
import { pause } from '../../../core/host.ts'
import { answerText, LONGEST_HANG_MS } from '../../../core/model/inbox-behaviour.ts'
import { Refusal } from '../../../core/model/refusal.ts'
import type { ControlContext } from '../control-context.ts'

/** Statuses that have no body. */
const BODILESS = new Set([204, 205, 304])

/** Whoever waits is answered as decided, as far as the world is still there. */
export async function answerInbox(c: ControlContext, decided: CommandResult<'receive-in-inbox'>): Promise<Response> {
  const { message, settings } = decided
  const { act, delayMs } = decided.answer
  const { world, sever } = c.env
  const ends = [c.req.raw.signal, world.closing]
  await pause(world.host, act === 'hang' ? LONGEST_HANG_MS : delayMs, ends)
  if (typeof act === 'string') {
    if (sever) return sever(act === 'reset' ? 'reset' : 'close')
    throw new Refusal('BAD_GATEWAY', `the inbox was to ${act}, and this host cannot sever connections`)
  }
  const { type, text } = answerText(settings, message.id)
  const named = Object.fromEntries(Object.entries(settings.headers).map(([name, value]) => [name.toLowerCase(), value]))
  return new Response(BODILESS.has(act) ? null : text, { status: act, headers: { 'content-type': type, ...named } })
}
