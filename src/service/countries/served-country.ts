import { MINUTE_US, type Zone } from '../../core/model/calendar.ts'
import type { Country } from '../../core/model/country.ts'

export interface ServedCountry extends Country {
  example: object
}

export function eastAfrican(name: string): Zone {
  return { name, offsetUs: 3 * 60 * MINUTE_US }
}

export function words(written: string): string[] {
  return written.trim().split(/\s+/)
}
