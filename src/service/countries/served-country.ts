/** A country, with what payments there need. */
import type { Country } from '../../core/model/country.ts'

export interface ServedCountry extends Country {
  example: object
}
