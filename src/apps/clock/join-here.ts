/** Takes part in a world's time with the timers of this process, or with something else that time is told to. */
import { parseDuration } from '../../core/model/time.ts'
import { putRealTurns } from '../../hosts/node/wall.ts'
import { AppActivity } from './app-activity.ts'
import { FakeTime } from './fake-time.ts'
import { type FollowedTime, Participation } from './participation.ts'
import { type WorldAddress, WorldLine } from './world-line.ts'

export interface JoinSettings {
  name: string
  lease: string
  /** The follower that stands in the place of this process. Nobody can say what it does at the moment. */
  other?: ((nowMs: number) => Promise<FollowedTime & { restore(): unknown }>) | undefined
}

/** Gives what leaves, and puts everything back. */
export async function joinHere(
  address: WorldAddress,
  { name, lease, other }: JoinSettings,
): Promise<() => Promise<void>> {
  const activity = other ? STILL : new AppActivity()
  // From the first request on: the server of the world may be in this process.
  const restoreTurns = other ? () => {} : putRealTurns()
  let restore: () => unknown = () => {}
  const participation = new Participation({
    line: new WorldLine(address),
    name,
    lease,
    patienceMs: (parseDuration(lease) ?? 0) / 2000,
    activity,
    begin: async (nowMs) => {
      const time = other ? await other(nowMs) : new FakeTime(nowMs, { zeroIsReal: true })
      restore = () => time.restore()
      return time
    },
    tell: (sentence) => console.error(`mfano: ${sentence}`),
  })
  let left: Promise<void> | undefined
  const leave = () => {
    left ??= (async () => {
      await participation.leave()
      if (activity instanceof AppActivity) activity.stop()
      await restore()
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

const STILL = { happened: 0, requests: 0, asks: () => {}, idle: async () => true, rest: async () => true }
