/** Fills a world with PENDING payments through the engine, in batches as large as those of a busy server. */
import { perform } from '../../src/core/perform.ts'
import { scenarioLibrary } from '../../src/hosts/node/scenarios.ts'
import type { Filling } from './filled.ts'
import { given } from './kit.ts'
import { openWorld } from './open-world.ts'

const { file, payments, callbackUrl } = given<Filling>()
const BATCH = 500

const world = openWorld(file, {
  scenario: scenarioLibrary().parse('name: bench\ndescription: Everybody is rich.\nwallets: { KES: 100000000000 }\n'),
})
const { core } = world
for (let done = 0; done < payments; done += BATCH) {
  await world.commit.submit(() => {
    for (let i = done; i < Math.min(done + BATCH, payments); i++) open(i)
  })
}
world.close()
console.log('{}')

function open(i: number): void {
  const request = {
    phoneNumber: `2547${String(11_100_100 + (i % 800_000))}`,
    amount: 10.5,
    currencyCode: 'KSH',
    remarks: 'Salary for January',
    occasion: 'Salary',
    callbackUrl,
    referenceId: `order-${i}`,
  }
  const { payment } = perform(core, {
    command: 'open-payment',
    kind: 'send-money',
    organisationId: 1,
    currency: 'KES',
    amountMinor: 1050,
    request,
    referenceId: request.referenceId,
    callbackUrl,
  })
  const seq = core.store.counters.next('journal')
  core.store.journal.insert({
    seq,
    requestId: `req_${seq}`,
    atUs: payment.createdAtUs,
    operation: 'createSendMoney',
    method: 'POST',
    path: '/api/sandbox/v1/send-money',
    organisationId: 1,
    requestHeaders: { 'content-type': 'application/json', authorization: '***' },
    requestBody: JSON.stringify(request),
    status: 201,
    responseBody: JSON.stringify({ status: 201, message: 'Success', data: { requestId: payment.uuid } }),
    rule: payment.plan.rule,
    notes: null,
    paymentSeq: payment.seq,
  })
}
