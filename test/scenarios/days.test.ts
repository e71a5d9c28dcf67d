/**
 * A day of each shipped scenario: what is asked for, and all that a merchant sees of it, which is kept in `__snapshots__`.
 * After a change that is meant, `npx vitest run -u test/scenarios/days` writes it anew.
 */
import { expect, it } from 'vitest'
import { formatInstant } from '../../src/core/model/time.ts'
import { shippedScenarios } from '../../src/hosts/node/package.ts'
import { scenarioLibrary } from '../../src/hosts/node/scenarios.ts'
import { paymentsService } from '../../src/service/service.ts'
import { ordinary } from '../core/scenarios/support.ts'
import { subAccountOf } from '../service/assumptions/sending.ts'
import { START, type TestWorld, useBench } from '../support/harness.ts'
import { needsProcess } from '../support/needs.ts'
import { Webhook } from '../support/standard-webhook.ts'

const bench = useBench()
const TZ = 'currencyCode=TZS phoneNumber=255711000100 serviceCode=TZ-TIGO-B2C narration=n firstName=A lastName=M'

const JANE = 'Jane_Wanjiku'
/** What numbers end in that the ordinary day takes for a wish. */
const ENDS = '404 408 409 202 999 403 423 429 500 503'
const ERRORS = '429.01 500.01 503.01'
const each = (words: string, ...ends: string[]) =>
  ends
    .flatMap((some) => (some.includes('=') ? some : some.split(' ')))
    .map((end) => words + end)
    .join(', ')

/** The scenario, knobs that are turned, and what is done: payments of a kind with fields that are otherwise, and waiting. */
const days = [
  'allocation-race delay=1ms: branch, allocation amount=1000, de-allocation amount=10',
  'answer-breaks-off: send-money *3, 1m',
  'bank-collection-untold: bank-collection, 1m',
  'bank-collection-without-reference words=MOBILE_BANKING: bank-collection, 1m',
  'bank-name-mismatch: bank-payout creditAccountNumber=0123456789 beneficiaryName=Jane_Wanjiku_Kamau, 1m, bank-payout creditAccountNumber=0123456789 beneficiaryName=Jane_Wanjiku_Mwangi, 1m',
  'callback-before-answer: stk, send-money, till, paybill, bank-payout, 1m',
  ...'old-secret none altered-body stale-timestamp missing-header'
    .split(' ')
    .map((flaw) => `callback-forged flaw=${flaw}: stk, 1h`),
  'callback-lost: stk, 5m',
  'callback-lost share=0.5: stk *20, 5m',
  'callback-secret-rotated: stk *4, 5m',
  'callback-twice times=5: stk, 5m',
  'callback-twice-at-once times=8: stk, 5m',
  'callback-unknown-status status=UNDER_REVIEW: stk, checkout, 5m',
  'callback-while-pending: stk, 10s, 5m',
  'callbacks-out-of-order: stk, 1m, stk, 20m',
  'callbacks-retried: stk, 5m',
  'checkout-abandoned after=29m: checkout, 29m, 5m',
  'checkout-cancelled-then-paid after=10m: checkout, 3m, page cancel, 10m',
  'checkout-confirmed-late after=3h: checkout, 2h, 2h',
  'checkout-in-two-tabs after=2m: checkout *2, 5m',
  'collection-reversed after=12h: stk amount=1000, stk amount=999, 1m, 1d',
  'default: stk, send-money, till, paybill, bank-payout, checkout, page pay, bank-collection, branch, allocation, 5m',
  `default: ${each('send-money phoneNumber=254711000', ENDS)}, 3d`,
  `default: ${each('stk phoneNumber=254711000', '401 402 499', ENDS, '101 amount=21', '101 amount=20')}, 3d`,
  ...['till', 'paybill'].map((kind) => `default: ${each(`${kind} businessNumber=000`, ENDS)}, 3d`),
  `default: ${each('paybill accountNumber=000', '400')}, ${each('bank-payout creditAccountNumber=01000000000', '410', ENDS)}, 3d`,
  `default: bank-payout creditAccountNumber=02200000000422 beneficiaryName=${JANE}, bank-payout creditAccountNumber=02200000000422 beneficiaryName=John_Doe, bank-payout creditAccountNumber=01100000000422 beneficiaryName=Mwangi_Jane, bank-payout creditAccountNumber=01100000000422 beneficiaryName=John_Doe, 1m`,
  `default: verifications, ${each('account-verification accountNumber=000', '404 410 408 999')}, account-verification bankCode=0068 accountNumber=01100000000422, account-verification, 1h`,
  ...['send-money', 'till', 'paybill', 'bank-payout'].map(
    (kind) => `default: ${each(`${kind} amount=`, '404.01 408.01 409.01 202.01 999.01 403.01 423.01', ERRORS)}, 3d`,
  ),
  `default: checkout, ${each('page pay, checkout amount=', '404.01 408.01 202.01 999.01 201.01 402.01', ERRORS)}, page pay, checkout customerPhone=+254711000402, page pay, 1h`,
  ...['allocation', 'de-allocation'].map(
    (kind) => `default: branch, ${each(`${kind} amount=`, '402.01 423.01', ERRORS)}`,
  ),
  `default: bank-collection amount=503.01, send-money ${TZ} amount=999.99`,
  'errors-in-flat-form: send-money phoneNumber=0745123456',
  'executed-but-503: send-money *3, 1m',
  'executed-twice: send-money *3, 1m',
  'failed-then-paid: send-money, till, paybill, 1h, 3h',
  'fees-come-on-top: bank-payout amount=20000 *3, 1m, fund amount=135, bank-payout amount=20000, 1m',
  'flaky-rail: send-money *100, stk, 1h',
  'float-runs-dry: send-money amount=45000 *3, 1m, float amount=200000, send-money amount=45000, 1m',
  'handset rings=30s: stk, 10s, answer, stk, 40s, checkout, page prompt, 10s, answer, 1m',
  'insufficient-funds: send-money, 1m, fund amount=50000, send-money, 1m',
  'insufficient-funds check=at-settlement: send-money, 1m',
  'late-reversal: bank-payout amount=15000, till amount=15000, send-money amount=9999, 1m, 3d',
  'login-down: login, login, login, send-money, 1m',
  'month-end-rush: send-money, till, paybill, bank-payout, 1d',
  'one-token-at-a-time: login, send-money, login, former, send-money',
  'partial-outage: bank-payout bankCode=0011, bank-payout, 1m',
  'payday-before-holiday: bank-payout, 4d',
  'payee-busy: send-money *2, bank-payout *2, 1m, send-money, bank-payout, 1m',
  'payout-limits: send-money amount=250001, send-money amount=250000 *2, send-money amount=1, 1d, send-money amount=1, 1m',
  'payout-limits then=fail: send-money amount=250001, 1m',
  'payout-times-out held=1ms: send-money *2, 1m',
  'rate-limited: send-money *6, 1m, send-money, 1m',
  'receiver-down attempts=2: receiver down, stk, 25m',
  'receiver-slow patience=40ms attempts=2: receiver slow, stk, 1m',
  'recycled-number: send-money phoneNumber=254711000101, send-money phoneNumber=254711000100, 1m',
  'references-are-unique: send-money referenceId=a *2, 1m',
  'slow-rails: send-money, till, paybill, bank-payout, stk, checkout, 3h',
  ...['lost', 'reset'].map((answer) => `stk-answer-lost answer=${answer}: stk *2, 5m`),
  'stk-cancelled: stk, 1m',
  'stk-charged-twice: stk, 5m',
  'stk-confirmed-late after=20m: stk, 1m, 20m',
  'stk-failed-then-paid after=2h: stk, 5m, 2h',
  'stk-insufficient-funds balance=999: stk amount=1000, stk amount=999, 1m',
  'stk-no-answer rings=30s prompts=2: stk, 1m, stk, 1m, stk, 1m',
  'stk-text-limits: stk accountReference=A-12345678901, stk, 1m',
  'stk-wrong-pin tries=2: stk, 10s, stk, 10s, stk',
  'stuck-pending: send-money, till, paybill, bank-payout, stk, 30d',
  'sub-account-starved: branch, allocation amount=20001, allocation amount=20000',
  'token-expires-mid-batch: send-money *4, login, send-money, 61s, send-money, login, send-money, 1m',
  'tz-accepted-not-paid after=10m: stk currencyCode=TZS phoneNumber=255711000100 channel=TZ-TIGO-C2B amount=25000, 5m, 6m',
  ...['own-words', 'other-code', 'later'].map(
    (way) => `tzs-minimum way=${way}: send-money ${TZ} amount=600, send-money ${TZ} amount=1200, 1m`,
  ),
  ...['refuse', 'hold', 'fail'].map(
    (then) => `weekend-maintenance then=${then}: bank-payout, 4m, bank-payout, send-money, 3d, bank-payout, 1m`,
  ),
  'wrong-bank-code: bank-payout bankCode=0086, bank-payout, 1h',
]

const pathOf = (kind: string) => paymentsService.operations.find(({ opens }) => opens === kind)?.path ?? ''

/** Ids and times are drawn or told elsewhere, and the organisation is the same each time. */
const LEFT_OUT = /^(?:organisation|id|\w+Id|\w+At|\w*[rR]eceipt|\w*[uU]rl|uuid)$/
const told = (value: unknown) => JSON.stringify(value, (key, one) => (LEFT_OUT.test(key) ? undefined : one))

class Day {
  readonly world: TestWorld
  readonly log: string[] = []
  #branch = ''
  #page = ''
  #token: string | undefined
  #former: string | undefined

  constructor(world: TestWorld) {
    this.world = world
  }

  async do(words: string): Promise<void> {
    const [what = '', ...more] = words.split(' ')
    const fields = Object.fromEntries(
      more
        .map((one) => one.replaceAll('_', ' ').split('='))
        .map(([name, value]) => [name, name === 'amount' ? Number(value) : value]),
    )
    const said = await this.#done(what, fields)
    this.log.push(said === undefined ? words : `${words}: ${said}`)
  }

  async #done(what: string, fields: Record<string, unknown>): Promise<string | undefined> {
    const { world } = this
    if (what === 'bank-collection') {
      const body = { ...ordinary[what], ...fields }
      return world.control('POST', '/collections/bank', body).then(
        ({ status }) => status,
        ({ code }) => code,
      )
    }
    if (what in ordinary) return this.#ask(what as keyof typeof ordinary, fields)
    else if (what === 'login') return this.#login()
    else if (what === 'verifications')
      await world.raw('PUT', '/_mfano/assumptions/unlisted-operations', { body: { value: 'on' } })
    else if (what === 'former') this.#token = this.#former
    else if (what === 'branch') this.#branch = (await subAccountOf(world)).uuid
    else if (what === 'page') return this.#press(Object.keys(fields)[0])
    else if (what === 'answer') await this.#answer()
    else if (what === 'fund') await world.control('POST', '/wallets/fund', { currency: 'KES', ...fields })
    else if (what === 'float') await world.control('POST', '/floats/fund', fields)
    else if (what === 'receiver') bench.receiver.answer = 'down' in fields ? 503 : () => new Promise(() => {})
    else await world.advance(what)
    return undefined
  }

  async #ask(kind: keyof typeof ordinary, changes: object): Promise<string> {
    const [own, branch] = [this.world.companyId, this.#branch]
    const between =
      kind === 'allocation'
        ? { fromOrganisationId: own, toOrganisationId: branch }
        : { fromOrganisationId: branch, toOrganisationId: own }
    const body = {
      ...ordinary[kind],
      ...(kind.endsWith('allocation') ? between : { callbackUrl: bench.receiver.url() }),
      ...changes,
    }
    const options = this.#token === undefined ? {} : { token: this.#token }
    const answer = await this.world.post(pathOf(kind), body, options).catch(() => undefined)
    if (answer === undefined) return 'no answer'
    this.#page = answer.body?.checkoutUrl ?? this.#page
    if (answer.status === 201)
      return answer.body ? `201 ${answer.body.data?.status ?? answer.body.status}` : '201, half'
    return `${answer.status} ${answer.text}`
  }

  async #login(): Promise<string> {
    const { apiKey, apiSecret } = this.world.credentials
    const { status, body } = await this.world.raw('POST', '/api/v1/get-token', { body: { apiKey, apiSecret } })
    if (status === 200) {
      this.#former = this.#token
      this.#token = body.data.access_token
    }
    return String(status)
  }

  async #press(button = ''): Promise<string> {
    const card = { action: 'pay', method: 'CARD', number: '4242 4242 4242 4242', expiry: '12/99', cvc: '123' }
    const phone = { action: 'pay', method: 'MPESA_STK', phoneNumber: '0712345678' }
    const form = { pay: card, prompt: phone, cancel: { action: 'cancel' } }[button]
    const body = new URLSearchParams(form)
    return String((await fetch(this.#page, { method: 'POST', redirect: 'manual', body })).status)
  }

  /** The prompt that came last is approved. */
  async #answer(): Promise<void> {
    const { phones } = await this.world.control('GET', '/handset')
    const { phone, prompts } = await this.world.control('GET', `/handset/${phones[0].phone}`)
    await this.world.control('POST', `/handset/${phone}/${prompts[0].id}`, { answer: 'approve' })
  }

  /** What became of it: every payment with its record and its callbacks, signatures, and the wallets. */
  async close(): Promise<string> {
    const { payments } = await this.world.control('GET', '/payments?limit=1000')
    if (payments.length > 12) this.log.push(...tally(payments.map(outcome)))
    else for (const { uuid } of payments.toReversed()) await this.#tell(uuid)
    const { secret } = await this.world.control('GET', '/callbacks/secret')
    const isSigned = this.world.inside.core.scenario.assumptions['callback-signature'] !== 'none'
    for (const { text, headers } of isSigned ? bench.receiver.received.splice(0) : []) {
      const hoursOld = Math.round((Date.now() / 1000 - Number(headers['webhook-timestamp'])) / 3600)
      this.log.push(`signed ${new Webhook(secret).verify(text, headers) ? 'right' : 'wrong'}, ${hoursOld} hours ago`)
    }
    const { wallets } = await this.world.control('GET', '/wallets')
    this.log.push(
      ...wallets.map((one: { currency: string; available: number }) => `wallet ${one.currency} ${one.available}`),
    )
    return this.log.join('\n')
  }

  async #tell(uuid: string): Promise<void> {
    const { kind, rule, timeline, record, callbacks } = await this.world.control('GET', `/payments/${uuid}`)
    const happened = timeline.happened.map(
      (one: { at: string; status: string }) => `${one.at.slice(0, 19)} ${one.status}`,
    )
    this.log.push(`  ${kind} ${happened.join(', ')} by ${JSON.stringify(rule)}: ${told(record)}`)
    for (const { id } of callbacks) {
      const { body, tries } = await this.world.control('GET', `/callbacks/${id}`)
      const tried = tries.map(
        (one: { sentAt: string; status: number | null }) => `${one.sentAt.slice(0, 19)} ${one.status}`,
      )
      this.log.push(`    told ${tried.join(', ')} ${told(body)}`)
    }
  }
}

const outcome = ({ kind, status, rule }: { kind: string; status: string; rule: string }) => `${kind} ${status}: ${rule}`
const tally = (all: string[]) => [...Map.groupBy(all, (one) => one)].map(([one, same]) => `  ${same.length} × ${one}`)

async function play(scenario: string, line: string): Promise<{ text: string; met: [string, number][] }> {
  const [head = '', acts = ''] = line.split(': ')
  const parameters = Object.fromEntries(
    head
      .split(' ')
      .slice(1)
      .map((knob) => knob.replaceAll('_', ' ').split('=')),
  )
  const { startUs } = scenarioLibrary().shipped(scenario, parameters).clock
  const start = startUs === null ? START : formatInstant(startUs)
  const world = await bench.world({ scenario, parameters, clock: { mode: 'frozen', start: `${start}Z` } })
  await world.control('PATCH', `/organisations/${world.companyId}`, { collectionCallbackUrl: bench.receiver.url() })
  const day = new Day(world)
  for (const act of acts.split(', ')) {
    const [, words = act, times = '1'] = /^(.*) \*(\d+)$/.exec(act) ?? []
    for (let i = 0; i < Number(times); i++) await day.do(words)
  }
  const { hits } = await world.control('GET', '/scenario/hits')
  const own = hits.filter(({ inherited }: { inherited: boolean }) => !inherited)
  return {
    text: `${head}\n${await day.close()}`,
    met: own.map(({ name, hits: times }: { name: string; hits: number }): [string, number] => [name, times]),
  }
}

it.for(shippedScenarios())('%s', async (scenario, context) => {
  needsProcess('sockets', context)
  const lines = days.filter((line) => /^[\w-]+/.exec(line)?.[0] === scenario)
  expect(lines, 'a day of it').not.toEqual([])
  const played = []
  for (const line of lines) played.push(await play(scenario, line))
  const met = new Set(played.flatMap(({ met: own }) => own.filter(([, hits]) => hits > 0).map(([name]) => name)))
  const unmet = played.flatMap(({ met: own }) => own.map(([name]) => name)).filter((name) => !met.has(name))
  expect(unmet, 'rules that no day meets').toEqual([])
  expect(played.map(({ text }) => text).join('\n\n')).toMatchSnapshot()
})
