/** The host of a world in a Durable Object: real time, timers, and the network. */
import type { Host } from '../../../core/host.ts'
import { alarmRealMs, wallNowMs } from '../../node/wall.ts'
import { type Ask, sendBy } from './fetch-post.ts'

export interface Outside {
  ask: Ask
  own(): string | undefined
  callbackHost: string | undefined
}

/** Timers end with the object; the object's alarm (`world-object.ts`) does not. */
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
  }
}
