/** Examples for the contract; `install/generate/examples.ts` records them from a frozen world into `recorded.gen.ts`. */
import { parseWire } from '../../core/model/json.ts'
import type { ContractExamples } from '../../http/contract.ts'
import { recordedExamples } from './recorded.gen.ts'

export const EXAMPLE_BASE_URL = '{baseUrl}'

export function examplesAt(baseUrl: string): ContractExamples {
  return parseWire(recordedExamples.replaceAll(EXAMPLE_BASE_URL, baseUrl)) as ContractExamples
}
