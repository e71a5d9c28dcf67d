/** The outside of a world in a Durable Object. */
import type { Host } from '../../../core/host.ts'
import { hashPassword, verifyPassword } from '../../node/host/password.ts'
import { alarmRealMs, wallNowMs } from '../../node/wall.ts'
import { type Ask, sendBy } from './fetch-post.ts'

/** What an object hands to its world besides. */
export interface Outside {
  ask: Ask
  /** Where this deployment is asked, as far as it is known. */
  own(): string | undefined
  callbackHost: string | undefined
}

/** Real time, timers and the network of an object. What must outlive it is the object's alarm (`world-object.ts`). */
export function workersHost({ ask, own, callbackHost }: Outside): Host {
  const send = sendBy(ask, callbackHost)
  return {
    wallUs: () => wallNowMs() * 1000,
    defer: (work) => {
      alarmRealMs(0, work)
    },
    alarm: alarmRealMs,
    connections: () => ({ send, close: () => {} }),
    ownBaseUrl: async () => own(),
    hashPassword,
    verifyPassword,
  }
}
