/** People and businesses of East Africa, invented by faker from the names of our countries. */
import { Faker, type LocaleDefinition } from '@faker-js/faker'
import { businessNames } from '../../core/model/business-names.ts'
import type { Chance } from '../../core/model/chance.ts'
import { kenya } from '../countries/kenya.ts'
import type { ServedCountry } from '../countries/served-country.ts'
import { tanzania } from '../countries/tanzania.ts'
import { uganda } from '../countries/uganda.ts'

export interface Party {
  country: 'KE' | 'TZ' | 'UG'
  name: string
  firstName: string
  lastName: string
  /** In international form. */
  phone: string
  till: string
  paybill: string
  bankCode: string
  account: string
}

/** Existing prefixes, so that every number has a network. */
const phonePrefixes = {
  KE: ['254710', '254722', '254729', '254745', '254757', '254733', '254110'],
  TZ: ['255712', '255654', '255784', '255687'],
  UG: ['256772', '256782', '256752', '256701'],
} as const

const bankCodes = ['0001', '0011', '0068', '0003', '0007'] as const

const trades = {
  adjective: ['Baraka', 'Umoja', 'Savanna', 'Jambo', 'Neema', 'Simba', 'Pwani', 'Rift Valley', 'Kilele', 'Uhuru'],
  descriptor: ['Hardware', 'Wholesalers', 'Bakers', 'Motors', 'Textiles', 'Agrovet', 'Printers', 'Electricals'],
  legal_entity_type: ['Ltd', 'Enterprises', 'and Sons', 'Stores', 'Company Ltd'],
}

function localeOf({ givenNames, surnames }: ServedCountry, title: string): LocaleDefinition {
  return {
    metadata: { title, code: 'sw', language: 'sw', endonym: 'Kiswahili', dir: 'ltr', script: 'Latn' },
    person: {
      first_name: { generic: givenNames.map(capitalised) },
      last_name: { generic: surnames.map(capitalised) },
    },
    company: {
      ...trades,
      name_pattern: [
        '{{company.adjective}} {{company.descriptor}} {{company.legal_entity_type}}',
        '{{person.last_name}} {{company.descriptor}} {{company.legal_entity_type}}',
        ...businessNames.map(capitalised),
      ],
    },
    commerce: {
      product_name: {
        pattern: ['{{commerce.productAdjective}} {{commerce.productMaterial}} {{commerce.product}}'],
        adjective: ['large', 'small', 'blue', 'red', 'white', 'cotton', 'striped', 'wooden'],
        material: ['kitenge', 'leather', 'beaded', 'woven', 'printed', 'plain'],
        product: ['dress', 'bag', 'sandals', 'shirt', 'basket', 'scarf', 'cap', 'mat'],
      },
    },
  }
}

export class EastAfrica {
  readonly #fakers: Record<'KE' | 'TZ' | 'UG', Faker>

  constructor(chance: Chance) {
    const draw = chance.of('people', 0)
    const randomizer = { next: () => draw.unit(), seed: () => {} }
    const fakerOf = (country: ServedCountry, title: string) =>
      new Faker({ locale: localeOf(country, title), randomizer })
    this.#fakers = { KE: fakerOf(kenya, 'Kenya'), TZ: fakerOf(tanzania, 'Tanzania'), UG: fakerOf(uganda, 'Uganda') }
  }

  person(country: Party['country'] = 'KE'): Party {
    const { person, helpers, string } = this.#fakers[country]
    const [firstName, lastName] = [person.firstName(), person.lastName()]
    const number = () => string.numeric({ length: 6, allowLeadingZeros: false })
    return {
      country,
      name: `${firstName} ${lastName}`,
      firstName,
      lastName,
      phone: helpers.arrayElement(phonePrefixes[country]) + string.numeric(6),
      till: number(),
      paybill: number(),
      bankCode: helpers.arrayElement(bankCodes),
      account: `01${string.numeric(11)}`,
    }
  }

  business(): Party {
    return { ...this.person(), name: this.#fakers.KE.company.name() }
  }

  product(): string {
    return this.#fakers.KE.commerce.productName()
  }
}

function capitalised(name: string): string {
  return name.toLowerCase().replace(/\b[a-z]/g, (letter) => letter.toUpperCase())
}
