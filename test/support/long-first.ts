/** In which order test files are run. */
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The long ones first, and of each sort the largest: a long one that begins when the rest is nearly done has one worker
 * wait for the other.
 */
export default class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

function isLong({ moduleId }: TestSpecification): boolean {
  return /\.(?:long|night)\.test\.ts$/.test(moduleId)
}
