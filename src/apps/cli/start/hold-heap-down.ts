/** Keeps the memory of a process that stays small. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterRealMs } from '../../../hosts/node/wall.ts'

/** The old generation is cleared when it has grown by so much, in percent; Node by itself waits until it has doubled or more. */
const GROWTH_PERCENT = 25
/** Real milliseconds from the start until the heap is cleared for the first time, so that no first request waits for it. */
const FIRST_CLEARED_MS = 1_000

/**
 * From now on the heap is cleared sooner. To be called once all is loaded, and not said on Node's command line: what
 * Node has compiled of its own modules is bound to the flags that it was made with, so that a process begun with another
 * one compiles each of them anew, a third more work until its first answer.
 */
export function holdHeapDown(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
  // What was made at the start lives on. V8 takes that for a rule, and makes whatever comes from the same places in the old
  // generation, where in requests it is garbage at once.
  setFlagsFromString('--no-allocation-site-pretenuring')
  // Growth counts from the heap that a collection left. Before the first one V8 allows for hundreds of megabytes.
  afterRealMs(FIRST_CLEARED_MS, () => {
    setFlagsFromString('--expose-gc')
    const collect: NodeJS.GCFunction = runInNewContext('gc')
    void collect({ type: 'major', execution: 'async' })
  })
}
