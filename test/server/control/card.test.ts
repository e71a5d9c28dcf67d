import { expect, it } from 'vitest'
import { passesLuhn } from '../../../src/core/model/mask.ts'
import { parseInstant } from '../../../src/core/model/time.ts'
import { readCard } from '../../../src/server/control/checkout.ts'
import fc from '../../support/fast-check.ts'

const NOW = parseInstant('2025-01-24T16:28:00') as number
const good = { number: '4242424242424242', expiry: '01/25', cvc: '123' }
const read = (change: Partial<typeof good>) => readCard({ ...good, ...change }, NOW)

it('takes a card to the last day of its month, in any usual writing', () => {
  for (const expiry of ['01/25', '1/25', '0125', '01 / 25', '01/2025', '12/99']) {
    expect(read({ expiry }), expiry).toMatchObject({ card: { brand: 'Visa', last4: '4242' } })
  }
  expect(read({ number: '5555 5555 5555 4444' })).toMatchObject({ card: { brand: 'Mastercard', last4: '4444' } })
  expect(read({ number: '2223-0031-2200-3222' })).toMatchObject({ card: { brand: 'Mastercard' } })
  expect(read({ number: '3782 822463 10005', cvc: '1234' })).toMatchObject({ card: { brand: 'American Express' } })
})

it('says of each field what is wrong with it', () => {
  const problems = (change: Partial<typeof good>) => Object.entries(read(change).problems ?? {}).flat()
  expect(problems({ number: '' })).toEqual(['number', 'Enter the card number.'])
  expect(problems({ number: '4242424242424241' })).toEqual(['number', 'This is no card number. Check its digits.'])
  expect(problems({ number: '424242424242' })).toEqual(['number', 'This number is too short for Visa.'])
  expect(problems({ number: '42424242x' })).toEqual(['number', 'A card number has only digits.'])
  expect(problems({ number: '6011111111111117' })[1]).toContain('Use Visa, Mastercard or American Express')
  expect(problems({ expiry: '12/24' })).toEqual(['expiry', 'This card has expired.'])
  expect(problems({ expiry: '13/30' })[1]).toContain('month/year')
  expect(problems({ expiry: '' })[1]).toContain('Enter the month')
  expect(problems({ cvc: '12' })).toEqual(['cvc', 'The security code has 3 digits.'])
  expect(problems({ number: '378282246310005' })).toEqual(['cvc', 'The security code has 4 digits.'])
})

it('notices every digit that is mistyped', () => {
  fc.assert(
    fc.property(fc.nat(15), fc.integer({ min: 1, max: 9 }), (at, by) => {
      const digits = [...good.number]
      digits[at] = String((Number(digits[at]) + by) % 10)
      return passesLuhn(good.number) && !passesLuhn(digits.join(''))
    }),
  )
})
