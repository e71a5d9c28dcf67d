import { Countries } from '../../core/model/country.ts'
import { kenya } from './kenya.ts'
import { tanzania } from './tanzania.ts'
import { uganda } from './uganda.ts'

const list = [kenya, tanzania, uganda] as const

export const countries = new Countries(...list)

export type Spelling = (typeof list)[number]['spelling']
const [home, ...others] = list
export const spellings: [Spelling, ...Spelling[]] = [home.spelling, ...others.map(({ spelling }) => spelling)]

export function exampleIn(currency: string): object {
  return list.find((country) => country.currency === currency)?.example ?? {}
}
