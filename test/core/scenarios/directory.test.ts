import { describe, expect, it } from 'vitest'
import { PLENTY } from '../../../src/core/model/directory.ts'
import { buildDirectory } from '../../../src/core/scenarios/decide/build-directory.ts'
import { paymentsService } from '../../../src/service/service.ts'
import fc from '../../support/fast-check.ts'

const listed = {
  subscribers: [{ phone: '254712345678', name: 'JANE MWANGI', balance: 50 }],
  bankAccounts: [{ bankCode: '0068', account: '0123456789', holder: 'JANE WANJIKU MWANGI' }],
  unregistered: ['000404'],
  withoutMoney: ['000402'],
  businesses: [{ number: '400200', name: 'MAJI SAFI' }],
  cards: [{ number: '4000000000000002', outcome: 'declined' as const }],
}
const directory = buildDirectory(listed, 1, paymentsService.countries, 'any-name')

describe('the directory', () => {
  it('finds a subscriber who is listed in the local form', () => {
    const local = { ...listed, subscribers: [{ phone: '0712999888', name: 'LOCAL NAME' }] }
    const found = buildDirectory(local, 1, paymentsService.countries, 'any-name')
    expect(found.nameOf('254712999888')).toBe('LOCAL NAME')
    expect(found.subscriber('0712999888')).toMatchObject({ phone: '254712999888', network: 'MPESA' })
  })

  it('knows what is listed, in whatever form the number comes', () => {
    const jane = {
      phone: '254712345678',
      known: true,
      name: 'JANE MWANGI',
      network: 'MPESA',
      balance: 50,
      pin: '1234',
    }
    for (const phone of ['254712345678', '+254712345678', '0712345678'])
      expect(directory.subscriber(phone)).toEqual(jane)
    expect(directory.bankAccount('0068', '0123456789')).toEqual({
      bankCode: '0068',
      account: '0123456789',
      known: true,
      holder: 'JANE WANJIKU MWANGI',
    })
    expect(directory.card('4000000000000002')).toBe('declined')
    expect(directory.card('4242424242424242')).toBe('approved')
    expect(directory.business('400200')).toEqual({ number: '400200', known: true, name: 'MAJI SAFI' })
  })

  it('gives nothing to who is listed by the end of a number, and plenty to others', () => {
    expect(directory.subscriber('0712000402')).toMatchObject({ known: true, balance: 0 })
    expect(directory.subscriber('0712000403')).toMatchObject({ known: true, balance: PLENTY })
  })

  it('names nobody for a number that is not registered', () => {
    expect(directory.subscriber('0712000404')).toMatchObject({ phone: '254712000404', known: false, name: '' })
    expect(directory.nameOf('254712000404')).toBe('')
    expect(directory.business('000404')).toEqual({ number: '000404', known: false, name: '' })
  })

  it('does not know a bank account that is not listed, so every beneficiary name is taken', () => {
    expect(directory.bankAccount('0001', '0123456789')).toEqual({
      bankCode: '0001',
      account: '0123456789',
      known: false,
      holder: '',
    })
  })

  it.each([
    ['254733000000', 'AIRTEL'],
    ['254110000000', 'MPESA'],
    ['255713000000', 'TIGO'],
    ['255623000000', 'HALOTEL'],
    ['256772000000', 'MTN'],
    ['256701000000', 'AIRTEL'],
    ['237600000000', 'MPESA'],
  ])('invents the holder of %s on %s', (phone, network) => {
    expect(directory.subscriber(phone)).toMatchObject({
      known: true,
      network,
      name: expect.stringMatching(/^[A-Z]+ [A-Z]+ [A-Z]+$/),
    })
  })

  it('invents the same for the same seed, and nothing for no number', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^25[4-6]\d{9}$/), fc.nat(), (phone, seed) => {
        expect(buildDirectory(listed, seed, paymentsService.countries, 'any-name').subscriber(phone)).toEqual(
          buildDirectory(listed, seed, paymentsService.countries, 'any-name').subscriber(phone),
        )
        expect(buildDirectory(listed, seed, paymentsService.countries, 'any-name').business(phone)).toEqual(
          buildDirectory(listed, seed, paymentsService.countries, 'any-name').business(phone),
        )
      }),
    )
    expect(directory.subscriber('').known).toBe(false)
    expect(directory.business('').known).toBe(false)
  })
})
