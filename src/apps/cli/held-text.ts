/** Describes the callbacks that are held for addresses from a world file. */
import type { ControlAnswer } from '../../client/control.ts'
import { hint } from './words.ts'

/** One line per address, with the command that releases it. `world` is the world that the command must name. */
export function heldText(
  { held, rewritten }: Pick<ControlAnswer<'GET', '/callbacks/held'>, 'held' | 'rewritten'>,
  given: { get(flag: string): string | undefined },
): string {
  const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`
  const lines = held.map(
    ({ address, waiting, coming }) =>
      `Held: ${count(waiting, 'callback')} for ${address}, and ${count(coming, 'payment')} may still write one.`,
  )
  if (held.length > 0) lines.push(`Let them go: ${hint('callback release [FROM] [--to URL]', given)}`)
  lines.push(...rewritten.map(({ from, to }) => `What was for ${from} goes to ${to}.`))
  return lines.map((line) => `${line}\n`).join('')
}
