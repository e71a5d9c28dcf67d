import type { CommonAssumptions } from '../../model/assumption.ts'
import { Chance } from '../../model/chance.ts'
import type { Countries, Country } from '../../model/country.ts'
import { type Directory, type Subscriber, UNLIMITED } from '../../model/directory.ts'
import type { Laid } from '../keys/effective.ts'

const businessNames: readonly string[] = [
  'MAJI SAFI WATER SUPPLIES',
  'UMOJA HARDWARE LTD',
  'BARAKA GENERAL STORES',
  'PWANI FRESH FOODS',
  'NURU ELECTRICALS',
  'SAVANNA BOOKS AND STATIONERY',
  'TUMAINI PHARMACY',
  'ZIWA FISH TRADERS',
  'MLIMA COFFEE GROWERS',
  'JENGA BUILDING MATERIALS',
  'HARAKA COURIERS',
  'USAFI LAUNDRY SERVICES',
]

const USUAL_PIN = '1234'

/**
 * - Listed entries are known, with the values that are listed.
 * - A phone number, till or paybill with an ending that is listed as unregistered belongs to nobody.
 * - A phone number with an ending that is listed as without money belongs to an invented person without money.
 * - Any other phone number belongs to an invented person with a name, a network and plenty of money.
 * - Any other till or paybill belongs to an invented business.
 * - Any other card is approved.
 * - Any other bank account is unknown and has no holder, so that every beneficiary name is accepted; or it belongs to an
 *   invented person, whose name hardly any request will guess: assumption `unlisted-accounts`.
 *
 * Rules decide what happens to a payment to nobody, as in `scenarios/default.yaml`.
 */
export function buildDirectory(
  listed: Laid['directory'],
  seed: number,
  countries: Countries,
  unlistedAccounts: CommonAssumptions['unlisted-accounts'],
): Directory {
  const chance = new Chance(seed)
  const subscribers = new Map<string, Subscriber>()
  // Backwards, so that the first entry wins: one phone can be written in two ways.
  for (const { phone: written, name, network, balance, pin } of listed.subscribers.toReversed()) {
    const phone = countries.internationalPhone(written)
    subscribers.set(phone, {
      phone,
      known: true,
      name,
      network: network ?? countries.networkOf(phone).name,
      balance: balance ?? UNLIMITED,
      pin: pin ?? USUAL_PIN,
    })
  }
  const bankAccounts = new Map(listed.bankAccounts.map((one) => [`${one.bankCode} ${one.account}`, one]))
  const businesses = new Map(listed.businesses.map((one) => [one.number, one]))

  const invented = (what: string, id: string, { givenNames, surnames }: Country) => {
    const draw = chance.of(what, id)
    return `${draw.pick(givenNames)} ${draw.pick(surnames)} ${draw.pick(surnames)}`
  }
  const isNobodys = (number: string) => number === '' || listed.unregistered.some((end) => number.endsWith(end))
  const cards = new Map(listed.cards.map((card) => [card.number, card]))

  return {
    cards: listed.cards,
    card: (digits) => cards.get(digits)?.outcome ?? 'approved',
    subscriber(written) {
      const phone = countries.internationalPhone(written)
      const known = subscribers.get(phone)
      if (known) return known
      if (phone === '') return { phone, known: false, name: '', network: '', balance: 0, pin: '' }
      const name = isNobodys(phone) ? '' : invented('subscriber', phone, countries.ofPhone(phone))
      const network = countries.networkOf(phone).name
      const hasNothing = listed.withoutMoney.some((end) => phone.endsWith(end))
      return { phone, known: name !== '', name, network, balance: hasNothing ? 0 : UNLIMITED, pin: USUAL_PIN }
    },
    bankAccount(bankCode, account) {
      const listed = bankAccounts.get(`${bankCode} ${account}`)
      if (listed) return { ...listed, known: true }
      if (unlistedAccounts === 'any-name') return { bankCode, account, known: false, holder: '' }
      return { bankCode, account, known: true, holder: invented('account', `${bankCode} ${account}`, countries.home) }
    },
    business(number) {
      const known = businesses.get(number)
      if (known) return { ...known, known: true }
      if (isNobodys(number)) return { number, known: false, name: '' }
      return { number, known: true, name: chance.of('business', number).pick(businessNames) }
    },
  }
}
