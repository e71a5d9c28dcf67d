/** Every kind of mistake: where it is shown and what is said. Lines and columns are exact. */
import { describe, expect, it } from 'vitest'
import { problemsOf, withRules } from './support.ts'

const head = 'name: late\ndescription: A test.\nextends: none\n'
const fallback =
  '  - { name: other, on: [till, paybill, send-money, bank-payout, stk], then: { after: 1s, end: SUCCESS } }\n'
/** Problems of one rule, which begins on line 5 of its file. */
const ofRule = (rule: string) => problemsOf(withRules(rule + fallback))
const when = (expression: string, on = 'till') =>
  ofRule(`  - name: tested\n    on: ${on}\n    when: ${expression}\n    then: { after: 1s, end: FAILED }\n`)

describe('the shape of a file', () => {
  it.each(
    Object.entries({
      '': '1:1 : The file is empty. Expected a mapping with a name, a description and rules.',
      '# nothing\n': '1:1 : The file is empty. Expected a mapping with a name, a description and rules.',
      'just text': '1:1 : Found the text "just text". Expected a mapping with a name, a description and rules.',
      'name: late\nextends: none\n':
        '1:1 description: "description" is missing. Expected one sentence that says what this world is like.',
      'name:\ndescription: x\nextends: none\n':
        '1:6 name: "name" is missing. Expected a name in lower-case letters, digits and hyphens, such as bank-name-mismatch.',
      'name: Late One\ndescription: x\nextends: none\n':
        '1:7 name: Found the text "Late One". Expected a name in lower-case letters, digits and hyphens, such as bank-name-mismatch.',
      [`${head}sed: 1\n`]:
        '4:1 sed: "sed" is not a setting here. Known: name, description, extends, parameters, seed, timezone, holidays, clock, wallets, directory, rules, callbacks, faults, rails, assumptions, measured. Did you mean "seed"?',
      [`${head}seed: -1\n`]:
        '4:7 seed: Found the number -1. Expected at least 0: the seed of everything that is random, 0 to 4294967295.',
      [`${head}seed: 1.5\n`]:
        '4:7 seed: Found the number 1.5. Expected a whole number: the seed of everything that is random, 0 to 4294967295.',
      [`${head}clock: { mode: frozenn }\n`]:
        '4:16 clock.mode: "frozenn" is not known here. Possible: realtime, scaled, frozen. Did you mean "frozen"?',
      [`${head}clock: { mode: frozen, rate: 2 }\n`]:
        '4:30 clock.rate: A frozen clock has no rate. Write mode: scaled, or remove rate.',
      [`${head}clock: { start: 2025-02-30T10:00:00 }\n`]: `4:17 clock.start: "2025-02-30T10:00:00" is not a time. Write it like 2025-01-24T16:28:00, in the scenario's time zone unless it ends in a zone such as +03:00.`,
      [`${head}wallets: { KES: 1.005 }\n`]:
        '4:17 wallets.KES: Found the number 1.005. Expected shillings with at most two decimals, up to 999999999999.99.',
      [`${head}wallets: { KSH: 1 }\n`]: '4:12 wallets.KSH: "KSH" is not a setting here. Known: KES, TZS, UGX.',
      [`${head}callbacks: { timeout: 20m }\n`]:
        '4:23 callbacks.timeout: Found "20m". Expected real time from 1ms to 10m.',
      [`${head}clock: frozen\n`]:
        '4:8 clock: Found the text "frozen". Expected the clock of a world that starts with this scenario. Write it like { mode: frozen, start: "2025-01-24T16:28:00" }.',
      [`${head}callbacks: { retry: { backoff: [10, 1m] } }\n`]:
        '4:33 callbacks.retry.backoff[0]: Found the number 10. Expected a duration such as 4s, 1m30s or 2d (ms, s, m, h, d, w).',
      [`${head}assumptions: { error-body: flatt }\n`]:
        '4:28 assumptions.error-body: "flatt" is not known here. Possible: nested, flat, field-list. Did you mean "flat"?',
      [`${head}assumptions: { status-read-code: 201 }\n`]:
        '4:34 assumptions.status-read-code: Found the number 201, which has to be a text. Put it in quotes: "201".',
      [`${head}directory:\n  bankAccounts:\n    - bankCode: 0068\n      account: "1"\n      holder: A\n`]:
        '6:17 directory.bankAccounts[0].bankCode: Found the number 68. Expected 00 and the bank\'s code, in quotes. Put it in quotes: "0068".',
    }),
  )('%j', (text, expected) => {
    const problems = problemsOf(text)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(expected)
  })
})

describe('YAML itself', () => {
  it.each(
    Object.entries({
      [`${head}seed: 1\nseed: 2\n`]: '5:1 seed: "seed" is given twice, first on line 4. Remove one of the two.',
      [`${head}clock:\n\tmode: frozen\n`]: '5:1 : Indented with a tab. YAML indents with spaces; replace the tab.',
      [`${head}seed: !number 1\n`]:
        '4:7 : Unresolved tag: !number. Tags are not used here: a text that begins with "!" has to be in quotes',
      [`${head}---\nname: b\n`]: '4:1 : More than one document (---). A scenario is one document; remove the others.',
      [`${head}seed: *none\n`]: '4:7 seed: The alias *none names nothing: there is no &none before it.',
      [`${head}? [a]\n: 1\n`]: '4:3 : A key must be a plain word.',
      [`${head}wallets: { KES: 1,, TZS: 2 }\n`]:
        '4:19 : A comma with nothing before it. Remove it, or write the missing value.',
      [`${head}x: ${'['.repeat(60)}${']'.repeat(60)}`]: '4:54 : Nested more than 50 levels deep',
      [`${head}x: [${'1, '.repeat(10_001)}]`]: '4:4 x: 10001 entries; at most 10000 are read.',
      [`${head}#${'x'.repeat(250_000)}`]:
        '1:1 : The text has 250047 characters; a scenario may have 250000. Split it, or extend another one.',
      [`a: &a [x,x,x,x,x,x,x,x,x]\n${[...'bcdefgh'].map((c, i) => `${c}: &${c} [${Array(9).fill(`*${'abcdefg'[i]}`).join(',')}]\n`).join('')}`]:
        '1:1 : The aliases (*name) expand to too much',
    }),
  )('case %#', (text, expected) => {
    expect(problemsOf(text)[0]).toContain(expected)
  })

  it('tells how to write an expression that YAML reads as something else', () => {
    expect(when('"a" == request.remarks')[0]).toContain(
      'An expression that holds ": " or " #", begins with a quote, or holds a comma or a bracket inside { }, has to be in quotes as a whole',
    )
    expect(when('!has(request.remarks)')[0]).toContain("when: '!has(request.remarks)'")
  })
})

describe('extends', () => {
  it.each([
    ['extends: defualt', '3:10 extends: There is no scenario "defualt". Known: '],
    ['extends: defualt', ', none. Did you mean "default"?'],
    ['extends: ../nowhere.yaml', '3:10 extends: There is no file "../nowhere.yaml".'],
    ['extends: /etc/passwd.yaml', '3:10 extends: "/etc/passwd.yaml" is not a relative path. Begin it with ./ or ../.'],
    ['extends: Not A Name', '3:10 extends: "Not A Name" is neither the name of a shipped scenario nor a relative path'],
    ['extends: [a]', '3:10 extends: Found a list. Expected the scenario that this one changes'],
  ])('%s', (line, expected) => {
    expect(problemsOf(`name: late\ndescription: A test.\n${line}\n`)[0]).toContain(expected)
  })

  it('refuses circles', () => {
    const files = {
      'scenarios/a.yaml': 'name: a\ndescription: a\nextends: b.yaml\n',
      'scenarios/b.yaml': 'name: b\ndescription: b\nextends: ./a.yaml\n',
    }
    expect(problemsOf('name: c\ndescription: c\nextends: a.yaml\n', files)).toEqual([
      '3:10 extends: It extends itself: scenarios/a.yaml extends scenarios/b.yaml extends scenarios/a.yaml. Write extends: none in the one that all begin with.',
    ])
  })

  it('shows problems of the extended file in that file', () => {
    const files = { 'scenarios/a.yaml': 'name: a\ndescription: a\nextends: none\nseed: x\n' }
    expect(problemsOf('name: c\ndescription: c\nextends: a.yaml\nsead: 1\n', files)).toEqual([
      expect.stringContaining('4:1 sead: '),
      '4:7 seed: Found the text "x". Expected the seed of everything that is random, 0 to 4294967295.',
    ])
  })
})

describe('rules', () => {
  it.each(
    Object.entries({
      '  - { name: a, on: tll, then: { after: 1s, end: FAILED } }\n':
        '5:20 rules[0].on: "tll" is not known here. Possible: send-money, till, paybill, bank-payout, account-verification, stk, bank-collection, checkout, allocation, de-allocation, any. Did you mean "till"?',
      '  - { name: a, on: [till, pay-bill], then: { after: 1s, end: FAILED } }\n':
        '5:27 rules[0].on[1]: "pay-bill" is not known here.',
      '  - { name: a, on: till }\n':
        '5:5 rules[0].then: "then" is missing. Expected the outcome: either refuse, or after and end.',
      '  - { on: till, then: { after: 1s, end: FAILED } }\n':
        '5:5 rules[0].name: "name" is missing. Expected a sentence that is shown when the rule applies',
      '  - { name: a, on: till, chance: 5, then: { after: 1s, end: FAILED } }\n':
        '5:34 rules[0].chance: Found the number 5. Expected at most 1: the probability, from 0 to 1',
      '  - { name: a, on: till, then: { after: 1s, end: DECLINED } }\n':
        '5:50 rules[0].then.end: "DECLINED" is not a state that a till payment can end in. Possible: SUCCESS, FAILED.',
      '  - { name: a, on: checkout, then: { after: 1s, end: SUCCESS } }\n':
        '5:54 rules[0].then.end: "SUCCESS" is not a state that a checkout session can end in. Possible: SUCCEEDED, FAILED, EXPIRED. Did you mean "SUCCEEDED"?',
      '  - { name: a, on: till, then: { refuse: 403 } }\n':
        '5:42 rules[0].then.refuse: Found the number 403. Expected the error that is answered at once; no payment is created. Write it like { code: PAYMENT_LIMIT_EXCEEDED }.',
      '  - { name: a, on: till, then: { after: nevre } }\n': 'or never. Did you mean "never"?',
      '  - { name: a, on: till, then: { refuse: { code: INSUFFICIENT_FUNDS }, after: 1s } }\n':
        '5:72 rules[0].then.after: "after" cannot stand beside "refuse": a refused request makes nothing that could end.',
      '  - { name: a, on: till, then: { status: 503 } }\n':
        'callback. Write it below refuse, or below answer: refuse: { code: SERVICE_UNAVAILABLE }.',
      '  - { name: a, on: till, then: { after: 1s, end: FAILED, answer: 500 } }\n':
        'The number 500 is not known here. Possible: reset, lost. Or write it like { status: 500 }.',
      '  - { name: a, on: till, then: { after: 1s, end: FAILED, callback: drop } }\n':
        'Found the text "drop". Expected the fault of the callbacks of this payment. Write it like { drop: true }.',
      '  - { name: a, on: createTillPayment, then: { after: 1s, end: FAILED } }\n':
        'any. That is an operation, which faults are about; here, name the kind of payment.',
      '  - { name: a, on: allocation, then: { after: 0s, end: CANCELLED } }\n':
        '5:56 rules[0].then.end: "CANCELLED" is not a state that an allocation can end in. Possible: SUCCESS. Only a request cancels one: GET /api/sandbox/v1/allocations/single/cancel.',
      '  - { name: a, on: any, then: { after: 0s, end: FAILED } }\n':
        '5:49 rules[0].then.end: "FAILED" is not a state that a bank collection can end in. Possible: SUCCESS. Make a rule of its own for it.',
      '  - { name: a, on: allocation, then: { after: 1s, end: SUCCESS } }\n':
        '5:47 rules[0].then.after: An allocation is over at once. Write after: 0s, or refuse it.',
      '  - { name: a, on: till, then: { after: 1s } }\n':
        '5:32 rules[0].then.end: "end" is missing. Possible: SUCCESS, FAILED. Only after: never goes without.',
      '  - { name: a, on: till, then: { after: soon, end: FAILED } }\n':
        '5:41 rules[0].then.after: Found the text "soon". Expected a duration such as 4s',
      '  - { name: a, on: till, then: { after: 2m..30s, end: FAILED } }\n':
        '5:41 rules[0].then.after: "2m..30s" ends before it begins. Write the shorter time first: 30s..2m.',
      '  - { name: a, on: till, then: { after: 40000d, end: FAILED } }\n':
        '5:41 rules[0].then.after: "40000d" is longer than 100 years. Write never if it is not to happen.',
      '  - { name: a, on: till, then: { after: 1s, end: FAILED, with: { errorCode: X } } }\n':
        '5:66 rules[0].then.with.errorCode: "errorCode" is not a field that the end of a till payment sets. Possible: conversationId, responseCode, receiverName, transactionReceipt, responseDescription.',
      '  - { name: a, on: till, then: { after: 1s, end: FAILED, with: { responseCode: "1" } } }\n':
        '5:80 rules[0].then.with.responseCode: Found the text "1". Expected a whole number.',
      '  - { name: a, on: bank-payout, then: { after: 1s, end: FAILED, with: { statusDesc: 1 } } }\n':
        '5:85 rules[0].then.with.statusDesc: Found the number 1. Expected a text (put it in quotes).',
      '  - { name: a, on: checkout, then: { after: 1s, end: FAILED, with: { x: 1 } } }\n': 'It has none: remove with.',
      '  - { name: a, on: till, then: { after: 1s, end: FAILED, revise: { after: 1d, end: FAILED } } }\n':
        '5:84 rules[0].then.revise.end: SUCCESS can be revised to FAILED, and FAILED to SUCCESS. Found FAILED revised to FAILED.',
      '  - { name: a, on: checkout, then: { after: 1s, end: SUCCEEDED, revise: { after: 1d, end: FAILED } } }\n':
        '5:73 rules[0].then.revise: A checkout session cannot be revised.',
      '  - { name: a, on: till, then: { after: 1s, end: FAILED, pay: { after: 1s } } }\n':
        '5:63 rules[0].then.pay: Only a checkout session is paid by a customer, and this rule decides a till payment. Remove pay.',
      '  - { name: a, on: till, then: { refuse: { code: INSUFICIENT_FUNDS, status: 402 } } }\n':
        '5:50 rules[0].then.refuse.code: "INSUFICIENT_FUNDS" is not one of the published codes. Did you mean "INSUFFICIENT_FUNDS"?',
      '  - { name: a, on: till, then: { refuse: { code: MY_OWN } } }\n':
        '5:42 rules[0].then.refuse: "MY_OWN" is not one of the published codes, so it needs its status: status: 400.',
      '  - { name: other, on: till, then: { after: 1s, end: FAILED } }\n':
        '6:13 rules[1].name: "other" is already the name of the rule on line 5.',
    }),
  )('%s', (rule, expected) => {
    const problems = ofRule(rule)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(expected)
  })

  it.each([
    [
      'nth: { evry: 3 }',
      ['5:32 rules[0].nth.evry: "evry" is not a setting here. Known: first, only, every, per. Did you mean "every"?'],
    ],
    ['nth: { first: 1, only: 2 }', ['5:42 rules[0].nth.only: "only" cannot stand beside "first". Remove one of them.']],
    [
      'nth: { every: 0 }',
      ['5:39 rules[0].nth.every: Found the number 0. Expected at least 1: each n-th match: 3 is the 3rd, 6th, 9th.'],
    ],
    ['nth: { per: payer }', ['5:30 rules[0].nth: "first", "only" or "every" is missing. Write it like { first: 2 }.']],
  ])('tells the nearest alternative alone: %s', (nth, problems) => {
    expect(ofRule(`  - { name: a, on: stk, ${nth}, then: { after: 1s, end: FAILED } }\n`)).toEqual(problems)
  })

  it('tells a misnamed key once, without the one that is missing instead', () => {
    expect(ofRule('  - { name: a, on: till, then: { aftr: 1s, end: FAILED } }\n')).toEqual([
      expect.stringMatching(/^5:34 rules\[0\]\.then\.aftr: "aftr" is not a setting here\. .* Did you mean "after"\?$/),
    ])
  })

  it('wants something decided whatever comes', () => {
    expect(problemsOf(withRules('  - { name: a, on: till, chance: 0.5, then: { after: 1s, end: FAILED } }\n'))).toEqual(
      [
        '5:5 rules[0]: No rule decides a till payment that none of the conditions fits; the last one is "a". Add one at the end without when, chance and nth: ' +
          '{ name: any other till, on: till, then: { after: 2s, end: SUCCESS } }, or extend default.',
      ],
    )
  })

  it('refuses more rules than a person writes', () => {
    const rules = '  - x\n'.repeat(10_001)
    expect(problemsOf(withRules(rules))[0]).toContain('5:3 rules: 10001 entries; at most 10000 are read.')
  })
})

describe('conditions', () => {
  it.each(
    Object.entries({
      'request.amonut > 1':
        '7:19 rules[0].when: The request of a till payment has no field "amonut". Known: amount, businessNumber, accountNumber, remarks, occasion, callbackUrl, referenceId. Did you mean "amount"?',
      "'has(request.amonut)'": '7:24 rules[0].when: The request of a till payment has no field "amonut".',
      'requst.amount > 1':
        '7:11 rules[0].when: "requst" is not known here. Known: request, organisation, wallet, time, business, history, now, nth, headers. Did you mean "request"?',
      'true && payee.known':
        '7:19 rules[0].when: "payee" is only known for send-money, and not for a till payment, which knows request, organisation, wallet, time, business, history.',
      'smilarity(request.remarks, "a") < 0.8':
        '7:11 rules[0].when: There is no function "smilarity". Did you mean "similarity"?',
      'request.remarks.startWith("a")':
        '7:27 rules[0].when: There is no function "startWith". Did you mean "startsWith"?',
      'request.remarks.startsWith(1)':
        '7:27 rules[0].when: startsWith() of a string does not take (int). Put the number in quotes to make it a text.',
      'true && request.remarks == 12':
        '7:19 rules[0].when: "request.remarks == 12" puts a text and a number together (string == int).',
      'request.amount = 1': '7:26 rules[0].when: Did not expect "=" here. Write == for it.',
      'request.amount > 1 and true': '7:30 rules[0].when: Did not expect "and" here. Write && for it.',
      'request.amount <> 1': 'Write != for it.',
      'request.amount >': '7:27 rules[0].when: The expression ends too early: something is missing here.',
      '(request.amount > 1': '7:30 rules[0].when: Expected ")" here, found the end.',
      'request.amount':
        '7:11 rules[0].when: The condition gives a double. Expected true or false: compare it with something.',
      'request.remarks == RENT':
        '7:30 rules[0].when: "RENT" is not known here. Known: request, organisation, wallet, time, business, history, now, nth, headers. A text has to be in quotes: "RENT".',
      'request.remarks == "a #b"':
        '7:30 rules[0].when: The text that begins here has no closing quote. If it holds " #", put the whole expression in quotes.',
      'request.remarks == null': 'compares with null, and nothing is null here',
      'request.amount in []': '7:29 rules[0].when: Nothing is in an empty list.',
      'request.amount in [1, "a"]':
        "7:33 rules[0].when: List elements must have the same type, expected type 'double' but found 'string'. A list holds things of one kind",
      'request.remarks.matches("(?=a)a")':
        '7:35 rules[0].when: matches(): the pattern looks ahead or behind, which RE2 does not read. Write two conditions.',
      'request.remarks.matches("(a")': '7:35 rules[0].when: matches(): the pattern is not a regular expression',
      'request.remarks.matches(request.occasion)':
        '7:35 rules[0].when: matches() needs its pattern written out as a text',
      'request.remarks.split("").exists(x, x == "a")':
        '7:11 rules[0].when: Conditions have no loops such as exists(). Look in a list with "in": "CARD" in request.paymentMethods.',
      '[1, 2].all(x, x == 1)': '7:12 rules[0].when: Conditions have no loops such as all().',
      [`0 < ["aaaa"]${'.map(x, x + x)'.repeat(26)}.size()`]: 'rules[0].when: Conditions have no loops such as map().',
      [`${'('.repeat(40)}1${')'.repeat(40)} == 1`]: 'rules[0].when: Exceeded maxDepth (32). Make several rules of it.',
    }),
  )('%s', (expression, expected) => {
    const quoted = expression.startsWith('[1') ? `'${expression}'` : expression
    const problems = when(quoted)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(expected)
  })

  it('know the payee of those who have one', () => {
    expect(when('payee.known', '[send-money, till]')).toEqual([
      expect.stringContaining('business, history. Make a rule of its own for send-money.'),
    ])
  })

  it.each([
    ['plain', '    when: request.amount > 1 && requst.x\n', '7:33'],
    ['double-quoted', '    when: "request.remarks == \\"a\\" && requst.x"\n', '7:40'],
    ['single-quoted', "    when: 'request.remarks == ''a'' && requst.x'\n", '7:40'],
    ['plain over two lines', '    when: request.amount > 1 &&\n      requst.x\n', '8:7'],
    ['folded', '    when: >-\n      request.amount > 1\n      && requst.x\n', '9:10'],
    ['literal', '    when: |\n      request.amount > 1\n        && requst.x\n', '9:12'],
  ])('are found in their place when the text is %s', (_style, line, place) => {
    const problems = ofRule(`  - name: tested\n    on: till\n${line}    then: { after: 1s, end: FAILED }\n`)
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(new RegExp(`^${place} rules\\[0\\]\\.when: "requst"`))
  })

  it('lists all problems of a file, in order', () => {
    const text = `name: late\ndescription: A test.\nextends: none\nseed: x\nrules:\n  - { name: a, on: till, when: requst.a, then: { after: 1s, end: NO } }\n  - { name: b, on: til, then: { after: 1s, end: FAILED } }\nwhat: 1\n`
    expect(
      problemsOf(text).map((problem) =>
        problem
          .split(':')
          .slice(0, 2)
          .join(':')
          .concat(problem.slice(problem.indexOf(' ')).split(':')[0] as string),
      ),
    ).toEqual([
      '4:7 seed seed',
      '6:32 rules[0].when rules[0].when',
      '6:66 rules[0].then.end rules[0].then.end',
      '7:20 rules[1].on rules[1].on',
      '8:1 what what',
    ])
  })
})
