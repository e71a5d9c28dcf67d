/** Makes the world of a test, named after the test so that lists and reports show it. */
import { MfanoError } from '../../client/errors.ts'
import { isWorldName } from '../../core/model/new-world.ts'
import type { Mfano } from './mfano.ts'
import type { TestWorld } from './test-world.ts'
import type { WorldOptions } from './world-options.ts'

/** Characters; an id may have 63, and a number may follow. */
const ID_MAX = 48

/**
 * `a-customer-pays`, unless the options give an id. A number follows when a test of the same name runs at the same
 * time.
 */
export async function worldOfTest(mfano: Mfano, options: WorldOptions, test: string): Promise<TestWorld> {
  const named = options.id === undefined ? idOf(test) : undefined
  if (named === undefined) return mfano.world(options)
  for (let n = 1; ; n++) {
    try {
      return await mfano.world({ ...options, id: n === 1 ? named : `${named}-${n}` })
    } catch (error) {
      if (!(error instanceof MfanoError) || error.code !== 'WORLD_EXISTS') throw error
    }
  }
}

/** Undefined for a name without a Latin letter or digit. */
function idOf(test: string): string | undefined {
  const id = test
    .normalize('NFKD')
    .replaceAll(/\p{Mark}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, ID_MAX)
    .replace(/-$/, '')
  return isWorldName(id) ? id : undefined
}
