/** Sends callbacks from this machine, as a world here would. */
import type { Connections } from '../../core/host.ts'
import { connectionsFrom, inContainer } from './callbacks/post.ts'
import { alarmRealMs } from './wall.ts'

export function callbackSender(): Connections {
  return connectionsFrom({ container: inContainer(), callbackHost: undefined }, { alarm: alarmRealMs })
}
