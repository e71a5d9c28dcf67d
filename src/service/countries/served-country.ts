/** A country with what the service asks of payments there. */
import type { Country } from '../../core/model/country.ts'

export interface ServedCountry extends Country {
  /** What an example of a mobile payment there has besides, or in another form. */
  example: object
}
