import { parseDuration } from '../../core/model/time.ts'
import { putRealTurns } from '../../hosts/node/wall.ts'
import { AppActivity } from './app-activity.ts'
import { FakeTime } from './fake-time.ts'
import { Participation } from './participation.ts'
import { type WorldAddress, WorldLine } from './world-line.ts'

export async function joinHere(
  address: WorldAddress,
  { name, lease }: { name: string; lease: string },
): Promise<() => Promise<void>> {
  const activity = new AppActivity()
  // From the first request on: the server of the world may be in this process.
  const restoreTurns = putRealTurns()
  let time: FakeTime | undefined
  const participation = new Participation({
    line: new WorldLine(address),
    name,
    lease,
    patienceMs: (parseDuration(lease) ?? 0) / 2000,
    activity,
    begin: (nowMs) => {
      time = new FakeTime(nowMs, { zeroIsReal: true })
      return time
    },
    tell: (sentence) => console.error(`mfano: ${sentence}`),
  })
  let left: Promise<void> | undefined
  const leave = () => {
    left ??= (async () => {
      await participation.leave()
      activity.stop()
      time?.restore()
      restoreTurns()
    })()
    return left
  }
  await participation.join().catch(async (error) => {
    await leave()
    throw error
  })
  return leave
}
