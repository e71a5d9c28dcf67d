/** Conventions about fields of requests, callbacks and records. */

import { bodies } from '../../support/bodies.ts'
import type { Receiver, TestWorld } from '../../support/harness.ts'
import { everyOne, payTill, read, subAccountOf, verdict } from '../assumptions/sending.ts'
import type { Shown } from './of-requests.ts'

const api = '/api/sandbox/v1'
const NOBODY = '00000000-0000-4000-8000-0000000000aa'

const session = async (world: TestWorld, changed: object) =>
  verdict(
    await world.post(`${api}/checkout-sessions`, { ...bodies.checkout('https://merchant.example/told'), ...changed }),
  )

/** The error of a session has no code, so only its status and its fields tell. */
const refusedFields = async (world: TestWorld, changed: object) =>
  Object.keys(
    (await world.post(`${api}/checkout-sessions`, { ...bodies.checkout('https://merchant.example/told'), ...changed }))
      .body.errors ?? {},
  )

const newUser = async (world: TestWorld, name: string, user: object) => {
  const body = bodies.subAccount()
  return verdict(
    await world.post(`${api}/multiaccount/new/organisation`, {
      ...body,
      name,
      user: { ...body.user, username: name, ...user },
    }),
  )
}

async function bankPayout(world: TestWorld, receiver: Receiver) {
  await world.post(`${api}/bank/payout/new`, bodies.bankPayout(receiver.url('/bank')))
  await world.advance('4m')
}

export const ofFields: Readonly<Record<string, Shown>> = {
  'fields that are missing beside wrong ones': [
    async (world) => {
      const code = async (body: object) => verdict(await world.post(`${api}/allocations/new`, body))
      return [await code({}), await code({ amount: -1 })]
    },
    ['400 REQ_MISSING_FIELD', '400 REQ_INVALID_FIELD'],
  ],
  'required fields that no source marks': [
    async (world) => {
      const { apiKey, apiSecret } = world.credentials
      const { user, ...account } = bodies.subAccount()
      const [withoutName, withoutPassword] = [
        { ...user, username: undefined },
        { ...user, password: undefined },
      ]
      const newAccount = `${api}/multiaccount/new/organisation`
      const complete = [
        ['/api/v1/get-token', { apiKey, apiSecret }],
        [`${api}/allocations/new`, { fromOrganisationId: world.companyId, toOrganisationId: NOBODY, amount: 1 }],
        [newAccount, { ...account, user }],
      ] as const
      const sent = complete.flatMap(([path, body]) =>
        Object.keys(body).map((name): [string, object] => [path, { ...body, [name]: undefined }]),
      )
      sent.push([newAccount, { ...account, user: withoutName }], [newAccount, { ...account, user: withoutPassword }])
      const verdicts = await Promise.all(sent.map(async ([path, body]) => verdict(await world.post(path, body))))
      return [sent.length, ...new Set(verdicts)]
    },
    [11, '400 REQ_MISSING_FIELD'],
  ],
  'limits that no source shows': [
    async (world) => {
      const till = bodies.till('https://merchant.example/told')
      const paid = async (changed: object) => verdict(await world.post(`${api}/paybill`, { ...till, ...changed }))
      return [
        await paid({ accountNumber: '1', remarks: 'r'.repeat(1000) }),
        await paid({ accountNumber: '1', remarks: 'r'.repeat(1001) }),
        await paid({ accountNumber: '1', referenceId: 'r'.repeat(201) }),
        await paid({ accountNumber: '1', amount: 1_000_000_000_000 }),
        await newUser(world, 'many', { roles: Array.from({ length: 21 }, () => 'ADMIN') }),
      ]
    },
    ['201', ...Array.from({ length: 4 }, () => '400 REQ_INVALID_FIELD')],
  ],
  'e-mail addresses, and phones to which no money goes': [
    async (world) => [
      await refusedFields(world, { customerEmail: 'none', customerPhone: '0712345678' }),
      await session(world, { customerEmail: 'a@merchant.example', customerPhone: '+2376700' }),
      verdict(await world.post(`${api}/multiaccount/new/organisation`, { ...bodies.subAccount(), phone: '+25470000' })),
    ],
    [['customerEmail', 'customerPhone'], '201', '400 REQ_INVALID_FIELD'],
  ],
  'a list of paymentMethods': [
    async (world) => [
      await refusedFields(world, { paymentMethods: [] }),
      await refusedFields(world, { paymentMethods: ['CARD', 'CARD'] }),
      await refusedFields(world, { paymentMethods: ['CARD', 'AIRTEL'] }),
    ],
    [['paymentMethods'], ['paymentMethods'], ['paymentMethods.1']],
  ],
  'the currency of a checkout session': [(world) => refusedFields(world, { currency: 'TZS' }), ['currency']],
  'the password of a user': [
    async (world) => [
      await newUser(world, 'short', { password: '1' }),
      await newUser(world, 'blank', { password: ' ' }),
    ],
    ['201', '400 REQ_INVALID_FIELD'],
  ],
  'userType and roles of a user': [
    async (world) => [
      await newUser(world, 'clerk', { userType: 'CLERK' }),
      await newUser(world, 'viewer', { roles: ['VIEWER'] }),
    ],
    ['400 REQ_INVALID_FIELD', '400 REQ_INVALID_FIELD'],
  ],
  'a user name that is taken': [
    async (world) => [await newUser(world, 'jane', {}), await newUser(world, 'other', { username: 'jane' })],
    ['201', '400 REQ_INVALID_FIELD'],
  ],
  'an id that is no uuid': [
    async (world) => [
      verdict(await world.get(`${api}/send-money/all?companyId=none`)),
      verdict(await world.get(`${api}/allocations/single/cancel?allocationId=none`)),
    ],
    ['400 REQ_INVALID_FIELD', '400 REQ_INVALID_FIELD'],
  ],
  'what is added to successUrl and cancelUrl': [
    async (world, receiver) => {
      const { checkoutUrl } = (await world.post(`${api}/checkout-sessions`, bodies.checkout(receiver.url()))).body
      const answer = await fetch(checkoutUrl, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ action: 'cancel' }),
      })
      return [answer.status, answer.headers.get('location')]
    },
    [303, 'https://merchant.example/cancelled'],
  ],
  'headers of a callback': [
    async (world, receiver) => {
      await world.post(`${api}/till`, bodies.till(receiver.url('/headers')))
      await world.advance('1m')
      return receiver.received.map(({ headers }) => [headers['content-type'], headers['user-agent'], headers['accept']])
    },
    [['application/json', 'mfano', undefined]],
  ],
  'the trace context of a callback': [
    async (world, receiver) => {
      const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
      await world.post(`${api}/till`, bodies.till(receiver.url('/traced')), { headers: { traceparent } })
      await world.advance('1m')
      return receiver.received.map(({ headers }) => headers['traceparent'] === traceparent)
    },
    [true],
  ],
  'businessNumber in the callback of a bank payout': [
    async (world, receiver) => {
      await bankPayout(world, receiver)
      return receiver.at('/bank').map(({ businessNumber }) => businessNumber)
    },
    ['0068'],
  ],
  'the order of fields': [
    async (world, receiver) => {
      const { text } = await world.post(`${api}/send-money`, bodies.sendMoney(receiver.url()))
      return text.replaceAll(/:(?:"[^"]*"|[\d.]+)/g, '')
    },
    '{"status","message","data":{"requestId","amount","phoneNumber","status"}}',
  ],
  'filters of a list': [
    async (world, receiver) => {
      await payTill(world, receiver.url())
      return (await read(world, '/till/all?status=FAILED')).length
    },
    1,
  ],
  'updatedAt while PENDING': [
    async (world, receiver) => {
      const waits = ['till', 'paybill'].flatMap((kind) => everyOne(kind, { after: 'never' }).rules)
      await world.control('PUT', '/scenario', {
        name: 'waits',
        description: 'Nothing ends.',
        extends: 'default',
        rules: waits.map((rule, i) => ({ ...rule, name: `waits ${i}` })),
      })
      const body = bodies.till(receiver.url())
      for (const kind of ['till', 'paybill']) await world.post(`${api}/${kind}`, { ...body, accountNumber: '1' })
      await world.advance('1h')
      world.logout()
      const lists = [await read(world, '/till/all'), await read(world, '/paybill/all')]
      return lists.map(([{ createdAt, updatedAt }]) => createdAt === updatedAt)
    },
    [true, false],
  ],
  'an account number or reference that was not sent': [
    async (world, receiver) => {
      await payTill(world, receiver.url())
      const ugx = { currencyCode: 'UGX', narration: 'Order 1', customerName: 'Sarah Nakato' }
      const { accountReference: _, ...asked } = { ...bodies.stk(receiver.url()), phoneNumber: '256771000100', ...ugx }
      await world.post(`${api}/stk/new`, asked)
      return [(await read(world, '/till/all'))[0].accountNumber, (await read(world, '/stk/all'))[0].accountReference]
    },
    ['', ''],
  ],
  'direction of a bank payout': [
    async (world, receiver) => {
      await bankPayout(world, receiver)
      const [{ status, direction }] = await read(world, '/bank/payout/all')
      return [status, direction]
    },
    ['SUCCESS', 0],
  ],
  'the narration of a payout in TZS or UGX': [
    async (world) => {
      const body = { narration: 'Wages', amount: 10, phoneNumber: '256771000100', currencyCode: 'UGX' }
      await world.post(`${api}/send-money`, { ...body, customerName: 'Sarah Nakato' })
      return (await read(world, `/send-money/all?companyId=${world.companyId}`))[0].remarks
    },
    'Wages',
  ],
  'customerid of a bank collection': [
    async (world) => {
      for (let n = 0; n < 3; n++) await world.control('POST', '/collections/bank', { amount: 10 })
      const ids = (await read(world, '/bank/collection/all')).map(
        ({ customerid }: { customerid: string }) => customerid,
      )
      return [new Set(ids).size > 1, ids.every((id: string) => /^\d{5}$/.test(id))]
    },
    [true, true],
  ],
  'a payment that was taken back': [
    async (world, receiver) => {
      const revised = everyOne('till', { after: '1s', end: 'SUCCESS', revise: { after: '1s', end: 'FAILED' } })
      const more = { name: 'revised', description: 'It is taken back.', extends: 'default' }
      await world.control('PUT', '/scenario', { ...more, ...revised })
      await payTill(world, receiver.url())
      await world.advance('5s')
      const [{ status, transactionReceipt, receiverName }] = await read(world, '/till/all')
      return [status, transactionReceipt !== null, receiverName !== null]
    },
    ['FAILED', true, true],
  ],
  'an allocation to oneself': [
    async (world) => {
      const { companyId: id } = world
      const body = { fromOrganisationId: id, toOrganisationId: id, amount: 5 }
      return verdict(await world.post(`${api}/allocations/new`, body))
    },
    '400 REQ_INVALID_FIELD',
  ],
  'the currency of an allocation': [
    async (world) => {
      const { uuid } = await subAccountOf(world)
      const body = { fromOrganisationId: world.companyId, toOrganisationId: uuid, amount: 20, currency: 'TZS' }
      const { status } = await world.post(`${api}/allocations/new`, body)
      const { requests } = await world.control('GET', '/requests?operation=createAllocation')
      return [status, await world.available(), requests[0].unreadFields]
    },
    [201, 999_980, ['currency']],
  ],
  'the receiver of an allocation who cancels it': [
    async (world) => {
      const { uuid, token } = await subAccountOf(world)
      const body = { fromOrganisationId: world.companyId, toOrganisationId: uuid, amount: 20 }
      const { requestId } = (await world.post(`${api}/allocations/new`, body)).body.data
      return verdict(await world.get(`${api}/allocations/single/cancel?allocationId=${requestId}`, { token }))
    },
    '404 RESOURCE_NOT_FOUND',
  ],
  'a de-allocation that is cancelled': [
    async (world) => {
      const { uuid } = await subAccountOf(world)
      const body = { fromOrganisationId: world.companyId, toOrganisationId: uuid, amount: 20 }
      const { requestId } = (await world.post(`${api}/de-allocations/new`, body)).body.data
      return verdict(await world.get(`${api}/allocations/single/cancel?allocationId=${requestId}`))
    },
    '404 RESOURCE_NOT_FOUND',
  ],
  'a second cancel of an allocation': [
    async (world) => {
      const { uuid } = await subAccountOf(world)
      const body = { fromOrganisationId: world.companyId, toOrganisationId: uuid, amount: 20 }
      const { requestId } = (await world.post(`${api}/allocations/new`, body)).body.data
      const cancel = () => world.get(`${api}/allocations/single/cancel?allocationId=${requestId}`)
      return [verdict(await cancel()), verdict(await cancel()), await world.available()]
    },
    ['200', '400 REQ_BAD_REQUEST', 1_000_000],
  ],
  'sums of the wallet breakdown': [
    async (world) => {
      const { uuid } = await subAccountOf(world)
      await world.control('POST', '/collections/bank', { amount: 100, organisationId: uuid })
      const { body } = await world.get(`${api}/multiaccount/wallet/total/breakdown`)
      return [body[0].totalCollections, body[0].totalTransactions, body[0].netBalance]
    },
    [0, 0, 100],
  ],
  "another's organisation": [
    async (world) => {
      const { token } = await subAccountOf(world)
      return [
        verdict(await world.get(`${api}/send-money/all?companyId=${world.companyId}`, { token })),
        verdict(await world.get(`${api}/send-money/all?companyId=${NOBODY}`, { token })),
      ]
    },
    ['403 AUTH_FORBIDDEN', '404 RESOURCE_NOT_FOUND'],
  ],
  "another's payment": [
    async (world, receiver) => {
      const { uuid, token } = await subAccountOf(world)
      const requestId = await payTill(world, receiver.url())
      return verdict(await world.get(`${api}/till/single?requestId=${requestId}&companyId=${uuid}`, { token }))
    },
    '404 RESOURCE_NOT_FOUND',
  ],
  'a sub-account that calls an operation of a parent': [
    async (world) => {
      const { token } = await subAccountOf(world)
      return verdict(await world.get(`${api}/multiaccount/organisation/all`, { token }))
    },
    '403 AUTH_FORBIDDEN',
  ],
  'an activation where there was no subscription': [
    async (world) => verdict(await world.put(`${api}/multiaccount/activate`)),
    '404 RESOURCE_NOT_FOUND',
  ],
  'organisations that say parent: true': [
    async (world) => {
      const said = async () => (await read(world, '/bank/collection/all'))[0].organisation.parent
      await world.control('POST', '/collections/bank', { amount: 10 })
      const before = await said()
      await subAccountOf(world)
      return [before, await said()]
    },
    [false, true],
  ],
}
