/** Test files of others, whose benches are deployments in workerd. */
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { closeBeds } from '../../support/workers-bed.ts'

afterAll(closeBeds)

/** Has the tests of a file run there; its path is below `test`. */
export async function onWorkers(file: string): Promise<void> {
  process.env['MFANO_TEST_HOST'] = 'workers'
  await import(/* @vite-ignore */ join(import.meta.dirname, '../..', `${file}.test.ts`))
}
