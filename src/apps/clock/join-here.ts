/** Takes part in a world's time from within a test: with the timers of this process, or with a page. */
import { parseDuration } from '../../core/model/time.ts'
import { Activity } from './activity.ts'
import { FakeTime } from './fake-time.ts'
import { type ClockedPage, PageTime } from './page-time.ts'
import { Participation } from './participation.ts'
import type { WorldAddress } from './world-line.ts'
import { WorldLine } from './world-line.ts'

export interface JoinSettings {
  name: string
  lease: string
  page?: ClockedPage | undefined
}

/** Gives what leaves, and puts everything back. */
export async function joinHere(
  address: WorldAddress,
  { name, lease, page }: JoinSettings,
): Promise<() => Promise<void>> {
  // What a page does at the moment nobody can say.
  const activity = page ? STILL : new Activity()
  let restore: () => unknown = () => {}
  const participation = new Participation({
    line: new WorldLine(address),
    name,
    lease,
    patienceMs: (parseDuration(lease) ?? 0) / 2000,
    activity,
    begin: async (nowMs) => {
      const time = page ? await PageTime.install(page, nowMs) : new FakeTime(nowMs, { zeroIsReal: true })
      restore = () => time.restore()
      return time
    },
    tell: (sentence) => console.error(`mfano: ${sentence}`),
  })
  const leave = async () => {
    await participation.leave()
    if (activity instanceof Activity) activity.stop()
    await restore()
  }
  await participation.join().catch(async (error) => {
    await leave()
    throw error
  })
  return leave
}

const STILL = { happened: 0, requests: 0, asks: () => {}, idle: async () => true, rest: async () => true }
