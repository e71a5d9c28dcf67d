/** The world of a test, which lists and reports show by the test's name. */
import { MfanoError } from '../../client/errors.ts'
import { isName } from '../../core/model/world-name.ts'
import type { Mfano } from './mfano.ts'
import type { TestWorld } from './test-world.ts'
import type { WorldOptions } from './world-options.ts'

/** So much of a test's name, in characters; an id may have 63. */
const ID_MAX = 48

/**
 * Makes a world whose id is the test's name, unless the options give one: `a-customer-pays`. Behind that comes a number where
 * another world has it, as of a test that runs beside this one and is called so too.
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

/** A test's name as the id of a world; undefined for one without a Latin letter or a digit. */
function idOf(test: string): string | undefined {
  const id = test
    .normalize('NFKD')
    .replaceAll(/\p{Mark}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, ID_MAX)
    .replace(/-$/, '')
  return isName(id) ? id : undefined
}
