/** The countries that a service pays in: their money, their phones, and who lives there. */
import { UTC, type Zone } from './calendar.ts'
import { type HolidayRules, Holidays } from './holidays.ts'
import type { Currency } from './money.ts'

/** A mobile network. Numbers can be ported: that a prefix tells the network is assumed. */
export interface Network {
  name: string
  /** The first digits of its numbers, country code included. */
  prefixes: RegExp
  /** What its money service is called in messages; the network's name when left out. */
  money?: string
}

export interface Country {
  /** Two letters, ISO 3166: `KE`. */
  code: string
  zone: Zone
  /** When its banks are shut besides weekends. */
  holidays: HolidayRules
  /** What its wallets are kept in. */
  currency: Currency
  /** As the service's endpoints of mobile money spell it. */
  spelling: string
  /** As a message to a phone writes it before an amount. */
  sign: string
  phone: {
    /** The country code. */
    prefix: string
    /** Its mobile numbers in international form without a plus. */
    pattern: RegExp
    /** As a sentence asks for one: `254 and nine digits that start with 7 or 1`. */
    form: string
  }
  /** The largest first: it has the numbers whose prefix is nobody's. */
  networks: readonly [Network, ...Network[]]
  /** In capitals, as networks print them. */
  givenNames: readonly string[]
  surnames: readonly string[]
}

const OTHER_THAN_DIGITS = /[^0-9]/
const OTHERS = /[^0-9]+/g

/** The countries of a service; the first is at home. */
export class Countries {
  readonly home: Country
  readonly #all: readonly Country[]
  readonly #holidays: ReadonlyMap<string, Holidays>

  constructor(home: Country, ...others: readonly Country[]) {
    this.home = home
    this.#all = [home, ...others]
    this.#holidays = new Map(this.#all.map(({ code, holidays }) => [code, new Holidays(holidays)]))
  }

  /** Their codes, that at home first. */
  get codes(): string[] {
    return this.#all.map(({ code }) => code)
  }

  /** The public holidays of a country. Throws for one that is not served. */
  holidaysOf(code: string): Holidays {
    const holidays = this.#holidays.get(code)
    if (!holidays) throw new Error(`This service pays in no country "${code}"`)
    return holidays
  }

  /** UTC, and the zones of the countries. */
  get zones(): Zone[] {
    return [UTC, ...this.#all.map(({ zone }) => zone)]
  }

  /** The country codes of their phone numbers. */
  get phonePrefixes(): string[] {
    return this.#all.map(({ phone }) => phone.prefix)
  }

  /** Of the wallets. */
  get currencies(): string[] {
    return this.#all.map(({ currency }) => currency)
  }

  /** Of the currencies, as requests may write them. */
  get spellings(): string[] {
    return [...new Set(this.#all.flatMap(({ currency, spelling }) => [spelling, currency]))]
  }

  /** `KES (or KSH), TZS, UGX`. */
  get inWords(): string {
    const words = this.#all.map(({ currency, spelling }) =>
      spelling === currency ? currency : `${currency} (or ${spelling})`,
    )
    return words.join(', ')
  }

  /** The currency of the wallets for a spelling that an endpoint uses; undefined when there is none. */
  currencyOf(text: string): Currency | undefined {
    return this.#all.find(({ currency, spelling }) => currency === text || spelling === text)?.currency
  }

  /** Whose currency it is. Throws for one that no country has. */
  ofCurrency(currency: Currency): Country {
    const country = this.#all.find((one) => one.currency === currency)
    if (!country) throw new Error(`No country of this service has the currency "${currency}"`)
    return country
  }

  /** Whose number it is, by its country code; that at home for any other. */
  ofPhone(phone: string): Country {
    for (const country of this.#all) if (phone.startsWith(country.phone.prefix)) return country
    return this.home
  }

  /** The network of a number by its first digits. */
  networkOf(phone: string): Network {
    const { networks } = this.ofPhone(phone)
    return networks.find(({ prefixes }) => prefixes.test(phone)) ?? networks[0]
  }

  /** What messages call the money service of a network. */
  moneyServiceOf(network: string): string {
    const known = this.#all.flatMap(({ networks }) => networks).find(({ name }) => name === network)
    return known?.money ?? network
  }

  /** `+254712345678`, `0712345678` and `254712345678` are one number; local ones are those at home. */
  internationalPhone(written: string): string {
    // Mostly there is nothing to take out.
    const digits = OTHER_THAN_DIGITS.test(written) ? written.replaceAll(OTHERS, '') : written
    if (!digits.startsWith('0')) return digits
    const { pattern, prefix } = this.home.phone
    const atHome = `${prefix}${digits.slice(1)}`
    return pattern.test(atHome) ? atHome : digits
  }
}
