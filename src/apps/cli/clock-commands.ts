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
  summary: 'Says what time it is in a world, how it goes, and when something is due next.',
  examples: ['mfano clock', 'mfano clock show --world shop --json'],
  ask: ({ control }) => control('GET', '/clock'),
  show: clockInWords,
})

const set = serverCommand({
  name: 'set',
  words: 'MODE',
  names: [modes],
  summary: 'Changes how time goes: realtime, scaled (faster or slower), or frozen (it moves only when told to).',
  flags: [
    {
      name: 'rate',
      value: 'number',
      help: 'World seconds in a real second; for scaled.',
      ...rateValue,
    },
  ],
  examples: ['mfano clock set frozen', 'mfano clock set scaled --rate 60'],
  ask: ({ control }, given) => {
    const mode = oneOf('MODE', given.words[0], modes)
    const rate = given.number('rate')
    if (rate !== undefined && mode !== 'scaled')
      throw new UsageError(`--rate is for time that is scaled, not ${mode}. Remove it, or say scaled.`)
    return control('PATCH', '/clock', { body: { mode, rate } })
  },
  show: clockInWords,
})

/** `mfano clock …`. */
export const clockGroup: CommandGroup = { commands: [show, set, advance, settle], otherwise: 'show' }

function clockInWords({ mode, rate, now, nextDue }: ClockState, { paint }: Output): string {
  const pace = {
    frozen: 'frozen: it moves when you say so, mfano clock advance 5m',
    realtime: 'in real time',
    scaled: `${rate} times as fast as real time`,
  }[mode]
  return `${paint('bold', time(now))}  ${pace}\n${nextDue === null ? 'nothing is due' : `next due: ${time(nextDue)}`}\n`
}
