import { UTC, type Zone } from './calendar.ts'
import type { Currency } from './money.ts'

/** A mobile network. Numbers can be ported, so taking the network from the prefix is an assumption. */
export interface Network {
  name: string
  prefixes: RegExp
  money?: string
}

/** Dates such as `2025-12-25`. */
export type Dates = Pick<ReadonlySet<string>, 'has'>

export interface Country {
  /** ISO 3166, two letters: `KE`. */
  code: string
  zone: Zone
  holidays: Dates
  currency: Currency
  spelling: string
  sign: string
  phone: {
    prefix: string
    pattern: RegExp
    form: string
  }
  networks: readonly [Network, ...Network[]]
  /** In capitals, as networks print names. */
  givenNames: readonly string[]
  surnames: readonly string[]
}

/** The first is the home country, which local numbers and unnamed currencies belong to. */
export class Countries {
  readonly home: Country
  readonly #all: readonly Country[]

  constructor(home: Country, ...others: readonly Country[]) {
    this.home = home
    this.#all = [home, ...others]
  }

  get codes(): string[] {
    return this.#all.map(({ code }) => code)
  }

  find(code: string): Country | undefined {
    return this.#all.find((one) => one.code === code)
  }

  get zones(): Zone[] {
    return [UTC, ...this.#all.map(({ zone }) => zone)]
  }

  get phonePrefixes(): string[] {
    return this.#all.map(({ phone }) => phone.prefix)
  }

  get currencies(): string[] {
    return this.#all.map(({ currency }) => currency)
  }

  get spellings(): string[] {
    return [...new Set(this.#all.flatMap(({ currency, spelling }) => [spelling, currency]))]
  }

  get inWords(): string {
    const words = this.#all.map(({ currency, spelling }) =>
      spelling === currency ? currency : `${currency} (or ${spelling})`,
    )
    return words.join(', ')
  }

  currencyOf(text: string): Currency | undefined {
    return this.#all.find(({ currency, spelling }) => currency === text || spelling === text)?.currency
  }

  ofCurrency(currency: Currency): Country {
    const country = this.#all.find((one) => one.currency === currency)
    if (!country) throw new Error(`No country of this service has the currency "${currency}"`)
    return country
  }

  ofPhone(phone: string): Country {
    for (const country of this.#all) if (phone.startsWith(country.phone.prefix)) return country
    return this.home
  }

  networkOf(phone: string): Network {
    const { networks } = this.ofPhone(phone)
    return networks.find(({ prefixes }) => prefixes.test(phone)) ?? networks[0]
  }

  moneyServiceOf(network: string): string {
    const known = this.#all.flatMap(({ networks }) => networks).find(({ name }) => name === network)
    return known?.money ?? network
  }

  /** `+254712345678`, `0712345678` and `254712345678` are one number. Local numbers belong to the home country. */
  internationalPhone(written: string): string {
    const digits = written.replaceAll(/[^0-9]+/g, '')
    if (!digits.startsWith('0')) return digits
    const { pattern, prefix } = this.home.phone
    const atHome = `${prefix}${digits.slice(1)}`
    return pattern.test(atHome) ? atHome : digits
  }

  typedPhone(written: string): string | undefined {
    const phone = this.internationalPhone(written)
    const own = this.#all.find(({ phone: { prefix } }) => phone.startsWith(prefix))
    const isPhone = !/[^\d\s+()-]/.test(written) && (own?.phone.pattern ?? /^[1-9]\d{6,14}$/).test(phone)
    return isPhone ? phone : undefined
  }
}
