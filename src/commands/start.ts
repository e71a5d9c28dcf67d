import { settingFlags, settingsHelp } from '../hosts/node/settings.ts'
import { type Command, USAGE } from './command.ts'

/** `mfano start`, for the help and for shells; it is run by main.ts, before any command is read. */
export const startCommand: Command = {
  name: 'start',
  words: '',
  count: [0, 0],
  summary: 'Starts a sandbox.',
  flags: settingFlags(),
  examples: [],
  help: settingsHelp,
  run: () => USAGE,
}
