/** Where a program keeps what nobody named a place for: the folder that the platform has for that. */
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** The state folder of this user, the same wherever mfano is started. */
export function stateFolder(
  env: Readonly<Record<string, string | undefined>> = process.env,
  platform: NodeJS.Platform = process.platform,
  home: () => string = homedir,
): string {
  const { XDG_STATE_HOME = '', LOCALAPPDATA = '' } = env
  // The specification has what is relative ignored.
  if (isAbsolute(XDG_STATE_HOME)) return join(XDG_STATE_HOME, 'mfano')
  if (platform === 'darwin') return join(home(), 'Library', 'Application Support', 'mfano')
  if (platform === 'win32') return join(LOCALAPPDATA || join(home(), 'AppData', 'Local'), 'mfano')
  return join(home(), '.local', 'state', 'mfano')
}
