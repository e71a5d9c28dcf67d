/** Keeps the process's memory small. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterRealMs } from '../../../hosts/node/wall.ts'

/**
 * Growth in percent after which the old generation is collected. Node's own default is to wait until it has at least
 * doubled.
 */
const GROWTH_PERCENT = 60
/** Real milliseconds until the first collection, so that it does not delay the first request. */
const FIRST_CLEARED_MS = 1_000

/**
 * Call it once everything is loaded. It is not a flag on Node's command line, because Node's built-in code cache is
 * bound to the flags it was made with: with other flags Node recompiles its own modules, which adds a third to the
 * start.
 */
export function holdHeapDown(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`)
  // Objects made at the start live on. V8 takes that for a rule, and makes whatever comes from the same places in the old
  // generation, where in requests it is garbage at once.
  setFlagsFromString('--no-allocation-site-pretenuring')
  // Growth counts from the heap that a collection left. Before the first one V8 allows for hundreds of megabytes.
  afterRealMs(FIRST_CLEARED_MS, () => {
    setFlagsFromString('--expose-gc')
    const collect: NodeJS.GCFunction = runInNewContext('gc')
    void collect({ type: 'major', execution: 'async' })
  })
}
