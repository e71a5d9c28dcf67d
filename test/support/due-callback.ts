import type { Callback } from '../../src/core/model/callback.ts'

/** A callback that is due since 1, as the first attempt at it is made. */
export function dueCallback(id: number, change: Partial<Callback> = {}): Callback {
  return {
    id,
    uid: `msg_${id}`,
    paymentSeq: 7,
    previousId: null,
    topic: 'send-money',
    url: 'http://shop.example/',
    body: '{}',
    state: 'pending',
    attempts: 0,
    createdAtUs: 1,
    settledAtUs: null,
    fault: null,
    trace: null,
    ...change,
  }
}
