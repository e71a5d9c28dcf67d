import { describe, expect, it } from 'vitest'
import { loadedLibraries } from '../../../src/core/loaded-libraries.ts'
import type { JsonObject, PaymentKind } from '../../../src/core/model/payment.ts'
import type { Facts } from '../../../src/core/scenarios/decisions/payment-facts.ts'
import { readPattern } from '../../../src/core/scenarios/keys/patterns.ts'
import { similarity } from '../../../src/core/scenarios/keys/similarity.ts'
import fc, { draws } from '../../support/fast-check.ts'
import { decide, load, withCondition } from './support.ts'

/** Whether a condition holds for an ordinary request with some fields changed. */
function holds(
  expression: string,
  kind: PaymentKind = 'send-money',
  changes: JsonObject = {},
  about: Partial<Facts> = {},
): boolean {
  return decide(load(withCondition(expression, kind)), kind, changes, about).plan?.rule === 'tested'
}

describe('numbers', () => {
  it.each([
    'request.amount < 1000.5',
    'request.amount == 1000',
    'request.amount == 1000.0',
    'request.amount == 1000u',
    'request.amount == 0x3e8',
    'request.amount == 1e3',
    '1000 == request.amount',
    'request.amount != 999',
    'request.amount in [1, 1000]',
    'request.amount in [1, 1000.0]',
    'request.amount in [1u, 1000u]',
    'request.amount in [-1, request.amount]',
    'size(request.remarks) in [4, 5]',
    '!(request.amount in [1, 2.5])',
    'request.amount % 2 == 0',
    'request.amount % 3 == 1.0',
    'request.amount + 1 == 1001',
    '1 + request.amount == 1001.0',
    'request.amount - 1 < request.amount * 2',
    'request.amount / 3 > 333',
    '-request.amount < 0',
    'nth == 1.0 && nth == 1 && nth in [1.0, 7.0] && nth % 2 == 1',
    'size(request.remarks) == 4.0',
    'wallet.available >= 1000000',
  ])('%s', (expression) => {
    expect(holds(expression)).toBe(true)
  })

  it('compare by value, whatever the form of the literal', () => {
    const forms = (n: number) => [`${n}`, `${n}.0`, `${n}u`, `${n}e0`, `0x${n.toString(16)}`]
    const operators: Record<string, (a: number, b: number) => boolean> = {
      '<': (a, b) => a < b,
      '<=': (a, b) => a <= b,
      '>': (a, b) => a > b,
      '>=': (a, b) => a >= b,
      '==': (a, b) => a === b,
      '!=': (a, b) => a !== b,
    }
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(operators)),
        fc.nat(20),
        fc.nat(20),
        fc.nat(4),
        (sign, amount, n, form) => {
          const expected = operators[sign]?.(amount, n)
          expect(holds(`request.amount ${sign} ${forms(n)[form]}`, 'send-money', { amount })).toBe(expected)
          expect(holds(`${forms(n)[form]} ${sign} request.amount`, 'send-money', { amount: n })).toBe(
            operators[sign]?.(n, n),
          )
        },
      ),
      { numRuns: draws(200) },
    )
  })
})

describe('what a condition sees', () => {
  it('the request: absent fields read as empty, and has() tells them apart', () => {
    expect(holds('request.referenceId == ""')).toBe(true)
    expect(holds('has(request.referenceId)')).toBe(false)
    expect(holds('has(request.referenceId)', 'send-money', { referenceId: '' })).toBe(true)
    expect(holds('has(request.referenceId)', 'send-money', { referenceId: null })).toBe(false)
    expect(
      holds('request.currencyCode == "KSH" && !has(request.currencyCode)', 'send-money', { currencyCode: null }),
    ).toBe(true)
    expect(holds('"CARD" in request.paymentMethods', 'checkout')).toBe(true)
    expect(holds('request.amount == 0', 'account-verification')).toBe(true)
  })

  it('the directory: payee, payer, account, business', () => {
    expect(holds('payee.known && payee.network == "MPESA" && payee.name != ""')).toBe(true)
    expect(holds('payer.known && payer.balance > request.amount', 'stk')).toBe(true)
    expect(holds('payer.known', 'checkout', { customerPhone: null })).toBe(false)
    expect(holds('!account.known && account.holder == ""', 'bank-payout')).toBe(true)
    expect(holds('business.known && business.name != ""', 'till')).toBe(true)
  })

  it('whoever the default scenario lists, by any form of a number or by its end', () => {
    const seen = (expression: string, kind: PaymentKind, changes: JsonObject) => {
      const text = withCondition(expression, kind).replace('extends: none', 'extends: default')
      return decide(load(text), kind, changes).plan?.rule === 'tested'
    }
    for (const phoneNumber of ['254711000101', '+254711000101', '0711000101'])
      expect(seen('payee.balance == 20', 'send-money', { phoneNumber })).toBe(true)
    expect(seen('payee.known && payee.balance == 0', 'send-money', { phoneNumber: '254712000402' })).toBe(true)
    expect(seen('payee.known || payee.name != ""', 'send-money', { phoneNumber: '254712000404' })).toBe(false)
    expect(seen('business.known || business.name != ""', 'till', { businessNumber: '000404' })).toBe(false)
    expect(seen('payee.known', 'send-money', { phoneNumber: '' })).toBe(false)
  })

  it.each([
    ['254733000000', 'AIRTEL'],
    ['254110000000', 'MPESA'],
    ['255713000000', 'TIGO'],
    ['255623000000', 'HALOTEL'],
    ['256772000000', 'MTN'],
    ['256701000000', 'AIRTEL'],
  ])('that %s is on %s, with a holder of three names', (phoneNumber, network) => {
    const named = 'payee.name.matches("^[A-Z]+ [A-Z]+ [A-Z]+$")'
    expect(holds(`payee.known && payee.network == "${network}" && ${named}`, 'send-money', { phoneNumber })).toBe(true)
  })

  it('the organisation, its wallet, the simulated time and the count', () => {
    expect(
      holds('organisation.parent && organisation.name.startsWith("Example") && size(organisation.uuid) == 36'),
    ).toBe(true)
    expect(holds('wallet.available < 5', 'send-money', {}, { walletAvailable: 4.5 })).toBe(true)
    expect(holds('now.getHours() == 16 && now.getDayOfWeek() == 5 && now < timestamp("2025-01-24T16:28:01Z")')).toBe(
      true,
    )
    expect(holds('now.getHours("Africa/Nairobi") == 19')).toBe(true)
    expect(holds('nth % 3 == 0', 'send-money', {}, { nth: 6 })).toBe(true)
  })

  it('texts that match a pattern, up to 256 characters', () => {
    expect(holds('request.phoneNumber.matches("^2547[0-9]{8}$")')).toBe(true)
    const long = decide(load(withCondition('request.remarks.matches("^a+$")')), 'send-money', {
      remarks: 'a'.repeat(257),
    })
    expect(long.plan?.trace).toBe('eM')
  })
})

describe('similarity', () => {
  it.each([
    ['JANE WANJIKU MWANGI', 'Jane Wanjiku Mwangi', 1, 1],
    ['MWANGI, Jane Wanjiku', 'JANE WANJIKU MWANGI', 1, 1],
    ["O'Brien José", 'JOSE OBRIEN', 1, 1],
    ['Jane Mwangi', 'JANE WANJIKU MWANGI', 0.85, 0.9],
    ['Jane Wanjiku Mwangy', 'JANE WANJIKU MWANGI', 0.9, 0.99],
    ['Jane', 'JANE WANJIKU MWANGI', 0.3, 0.79],
    ['John Otieno', 'JANE WANJIKU MWANGI', 0, 0],
    ['', 'JANE', 0, 0],
    ['', '', 1, 1],
  ])('%j and %j', (a, b, least, most) => {
    expect(similarity(a, b)).toBeGreaterThanOrEqual(least)
    expect(similarity(a, b)).toBeLessThanOrEqual(most)
  })

  it('is between 0 and 1, the same both ways round, and 1 for a name and itself', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.string({ maxLength: 60 }), (a, b) => {
        expect(similarity(a, b)).toBeGreaterThanOrEqual(0)
        expect(similarity(a, b)).toBeLessThanOrEqual(1)
        expect(similarity(a, a)).toBeCloseTo(1)
        expect(similarity(a, b)).toBeCloseTo(similarity(b, a), 1)
      }),
    )
  })
})

describe('patterns', () => {
  const read = (pattern: string) => readPattern(pattern, loadedLibraries)

  it.each([
    '^2547[0-9]{8}$',
    '^(KE|TZ|UG)?[A-Z]+ [A-Z]+ [A-Z]+$',
    ...'abc \\d+\\.\\d{2} ^[A-Z]{2,5}$ (?:ab)+c (?i)salary (\\d{1,3}\\.){3}\\d{1,3} (?<year>\\d{4}) \\p{L}'.split(' '),
    // A backtracking engine takes for ever over these.
    ...'(a+)+$ (a|a)*b (.*a){20} .*.*.*.*x'.split(' '),
    'a?'.repeat(40),
  ])('%s is read', (pattern) => {
    expect(read(pattern).problem).toBeUndefined()
  })

  it.each([
    ['(a)\\1', 'refers back to a group, which RE2 does not read'],
    ['(?<n>a)\\k<n>', 'refers back to a group, which RE2 does not read'],
    ['(?=a+)b', 'looks ahead or behind, which RE2 does not read'],
    ['(?<!a)b', 'looks ahead or behind, which RE2 does not read'],
    ['\\u0041', 'not a regular expression as RE2 reads it (invalid escape sequence: `\\u`)'],
    ['(', 'not a regular expression as RE2 reads it (missing closing ): `(`)'],
    ['a{1001}', 'repeats too much'],
    ['((a{10}){10}){9}'.repeat(10), 'repeats too much'],
    ['\\d{999}'.repeat(28), 'repeats too much'],
    ['a'.repeat(201), '201 characters'],
  ])('%s is refused', (pattern, why) => {
    expect(read(pattern).problem).toContain(why)
  })

  it('with thirty choices are answered, where a backtracking engine tries a thousand million ways', () => {
    const remarks = `${'a'.repeat(255)}!`
    const choices = '(a|a)'.repeat(30)
    expect(holds(`request.remarks.matches("^${choices}b")`, 'send-money', { remarks })).toBe(false)
    expect(holds(`request.remarks.matches("^${choices}a*!$")`, 'send-money', { remarks })).toBe(true)
  })

  it('are refused where they are too large together', () => {
    const many = (times: number) =>
      Array.from({ length: times }, () => 'request.remarks.matches("^[ab]{200}")').join(' || ')
    expect(() => load(withCondition(many(4)))).not.toThrow()
    expect(() => load(withCondition(many(5)))).toThrow('The patterns are too large together. Make several rules of it.')
  })

  it('are asked anew about every payment', () => {
    const scenario = load(withCondition('request.remarks.matches("^[ab]{200}")'))
    const traces = Array.from(
      { length: 50 },
      () => decide(scenario, 'send-money', { remarks: 'ab'.repeat(128) }).plan?.trace,
    )
    expect(new Set(traces)).toEqual(new Set(['M']))
  })

  it('mean in RE2 what they mean in JavaScript', () => {
    const part = fc.constantFrom(
      ...['a', 'b', '.', '[ab]', '(a|b)', '(a)', '(?:ab)', 'a*', 'b+', '(a|b)?', '.*', 'a{2,5}', '(a+)', '(b|a+)', '|'],
      ...['^', '$', '\\d', '\\w', '[^a]', '\\bab', '\\.', '[a-c]{2}', 'é'],
    )
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 6 }),
        fc.array(fc.constantFrom('a', 'b', 'ab', 'x', '1', '.', ' ', 'é', '😀'), { maxLength: 12 }),
        (parts, words) => {
          const { pattern } = read(parts.join(''))
          const text = words.join('')
          expect(pattern?.test(text)).toBe(new RegExp(parts.join(''), 'u').test(text))
        },
      ),
      { numRuns: draws(2000) },
    )
  })
})
