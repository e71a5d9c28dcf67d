/** Prints how many bytes of each removed world are left for a major collection. Run it with `--expose-gc`. */
import { setImmediate } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import { holdHeapDown } from '../../../src/apps/cli/start/hold-heap-down.ts'
import { must } from '../../../src/core/model/must.ts'
import { openLog, settingsOf } from '../../../src/hosts/node/settings.ts'
import { startSimulator } from '../../../src/hosts/node/simulator.ts'

const WORLDS = 100

const gc = must(globalThis.gc)
// As the program does once it has started; else V8 may put what it made for earlier worlds among old objects.
holdHeapDown()
const settings = settingsOf({ data: ':memory:', port: '0', log: 'off' })
const simulator = await startSimulator(settings, await openLog(settings))

async function makeAndRemove(): Promise<void> {
  for (let i = 0; i < WORLDS; i++) {
    simulator.worlds.create({ id: 'gone', clock: { mode: 'frozen', startUs: Date.UTC(2025, 0, 24) * 1000 } })
    simulator.worlds.remove('gone')
    await setImmediate()
  }
}

function oldBytes(): number {
  return getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ?? Number.NaN
}

// The first ones leave code.
await makeAndRemove()
gc()
const before = oldBytes()
await makeAndRemove()
for (let i = 0; i < 3; i++) gc({ type: 'minor' })
console.log((oldBytes() - before) / WORLDS)
await simulator.close()
