import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject, PaymentKind } from '../../src/model/payment.ts'
import { patternProblem } from '../../src/scenarios/language/patterns.ts'
import { similarity } from '../../src/scenarios/language/similarity.ts'
import type { Facts } from '../../src/scenarios/scenario.ts'
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
    'request.amount in [1, 2].map(x, x * 500)',
    '[1, 2.5, 1000].exists(x, x == request.amount)',
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
      { numRuns: 200 },
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

  it('the organisation, its wallet, the world time and the count', () => {
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
  it.each(['^2547[0-9]{8}$', '^(KE|TZ|UG)?[A-Z]+ [A-Z]+ [A-Z]+$', 'abc', '\\d+\\.\\d{2}', '^[A-Z]{2,5}$', '(?:ab)+c'])(
    '%s is read',
    (pattern) => {
      expect(patternProblem(pattern)).toBeUndefined()
    },
  )

  it.each([
    ['(a+)+', 'repeats a group that itself repeats'],
    ['(a|a)*b', 'repeats a group that itself repeats or chooses'],
    ['((a{1,3})b)*', 'repeats a group that itself repeats'],
    ['(.*a){20}', 'repeats a group that itself repeats'],
    ['.*.*.*.*x', 'too many repetitions'],
    ['a?'.repeat(40), 'too many repetitions'],
    ['(a)\\1', 'refers back'],
    ['(?=a+)b', 'looks ahead'],
    ['(', 'not a regular expression'],
    ['a'.repeat(201), '201 characters'],
  ])('%s is refused', (pattern, why) => {
    expect(patternProblem(pattern)).toContain(why)
  })

  it('that are read are quick on every text', () => {
    const part = fc.constantFrom(
      'a',
      'b',
      '.',
      '[ab]',
      '(a|b)',
      '(a)',
      '(?:ab)',
      'a*',
      'b+',
      '(a|b)?',
      '.*',
      'a{2,5}',
      '(a+)',
      '(b|a+)',
      '*',
      '+',
      '{3}',
      '|',
      '^',
      '$',
    )
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 8 }),
        fc.array(fc.constantFrom('a', 'b', 'ab', 'x'), { minLength: 60, maxLength: 85 }),
        (parts, words) => {
          const pattern = parts.join('')
          if (patternProblem(pattern) !== undefined) return
          const before = performance.now()
          new RegExp(pattern, 'u').test(`${words.join('').slice(0, 255)}!`)
          expect(performance.now() - before).toBeLessThan(2000)
        },
      ),
      { numRuns: 3000 },
    )
  })
})
