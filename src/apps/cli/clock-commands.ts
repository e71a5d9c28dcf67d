/** The commands `mfano clock …`. */
import type { ClockState } from '../../client/control-answers.ts'
import { type CommandGroup, UsageError } from './command.ts'
import type { Output } from './output.ts'
import { advance, settle } from './run-clock.ts'
import { serverCommand } from './server.ts'
import { oneOf, rateValue } from './typed-values.ts'
import { time } from './words.ts'

const modes = ['realtime', 'scaled', 'frozen'] as const

const show = serverCommand({
  name: 'show',
  summary: "Show a world's time, clock mode and next event.",
  examples: ['mfano clock', 'mfano clock show --world shop --json'],
  ask: ({ control }) => control('GET', '/clock'),
  show: clockInWords,
})

const set = serverCommand({
  name: 'set',
  words: 'MODE',
  names: [modes],
  summary: "Change the clock's mode.",
  about: 'realtime follows real time. scaled is faster or slower by --rate. frozen moves only when you advance it.',
  flags: [
    {
      name: 'rate',
      value: 'number',
      help: 'World seconds per real second, for scaled.',
      ...rateValue,
    },
  ],
  examples: ['mfano clock set frozen', 'mfano clock set scaled --rate 60'],
  ask: ({ control }, given) => {
    const mode = oneOf('MODE', given.words[0], modes)
    const rate = given.number('rate')
    if (rate !== undefined && mode !== 'scaled')
      throw new UsageError(`--rate applies to scaled, not to ${mode}. Remove it, or use scaled.`)
    return control('PATCH', '/clock', { body: { mode, rate } })
  },
  show: clockInWords,
})

export const clockGroup: CommandGroup = { commands: [show, set, advance, settle], otherwise: 'show' }

function clockInWords({ mode, rate, now, nextDue }: ClockState, { paint }: Output): string {
  const pace = {
    frozen: 'Frozen. Advance it with: mfano clock advance 5m',
    realtime: 'Real time.',
    scaled: `${rate} times real time.`,
  }[mode]
  return `${paint('bold', time(now))}  ${pace}\n${nextDue === null ? 'Nothing is due.' : `Next event: ${time(nextDue)}`}\n`
}
