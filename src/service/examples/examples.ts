/** The examples of the contract: requests, answers and callbacks of a frozen world, as `recorded.gen.ts` holds them. */
import { parseWire } from '../../core/model/wire.ts'
import type { ContractExamples } from '../../http/contract.ts'
import { recorded } from './recorded.gen.ts'

/** What stands in the recording for the base URL of its world. */
export const BASE_URL = '{baseUrl}'

/** The examples as a world at this base URL would have answered. */
export function examplesAt(baseUrl: string): ContractExamples {
  return parseWire(recorded.replaceAll(BASE_URL, baseUrl)) as ContractExamples
}
