import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe } from 'vitest'
import { isNight } from '../../support/night.ts'
import { onWorkers } from './on-workers.ts'

// What is tested of a Node process by its answers, asked of Durable Objects: by every file that has a bench, by night.

const SOME = ['service/send-money', 'server/pages/checkout-page']
const tests = join(import.meta.dirname, '../..')

/** Files with a bench, but for those whose every test looks behind the answers, and those that take long. */
function withBench(): string[] {
  return globSync('*/**/*.test.ts', { cwd: tests })
    .map((file) => file.replace(/\.test\.ts$/, '').replaceAll('\\', '/'))
    .filter((file) => !/^(?:node_modules|house|hosts\/workers)\/|\.(?:long|night)$/.test(file))
    .filter((file) => readFileSync(join(tests, `${file}.test.ts`), 'utf8').includes('useBench('))
    .sort()
}

describe.each(isNight ? withBench() : SOME)('%s', onWorkers)
