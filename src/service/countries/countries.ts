/** The countries of the service; the first is at home. */
import { Countries } from '../../core/model/country.ts'
import { kenya } from './kenya.ts'
import { tanzania } from './tanzania.ts'
import { uganda } from './uganda.ts'

const list = [kenya, tanzania, uganda] as const

export const countries = new Countries(...list)

/** A currency as the endpoints of mobile money spell it. */
export type Spelling = (typeof list)[number]['spelling']
export const spellings = list.map(({ spelling }) => spelling) as [Spelling, ...Spelling[]]

/** What an example of a mobile payment has to have besides in the country of a currency, or in another form. */
export function exampleIn(currency: string): object {
  return list.find((country) => country.currency === currency)?.example ?? {}
}
