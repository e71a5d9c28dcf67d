import { expect, it } from 'vitest'
import { asContracted, keysOf } from '../support/contract.ts'
import { useBench } from '../support/harness.ts'

const bench = useBench()
const base = '/api/sandbox/v1/bank/collection'

it('lists what came into the bank account, and reads one', async () => {
  const world = await bench.world()
  expect((await world.get(`${base}/all`)).text).toBe('{"status":200,"message":"OK","data":[]}')
  const { uuid } = await world.control('POST', '/collections/bank', { amount: 10000, description: 'Payment narration' })
  const [record] = asContracted('listBankCollections', await world.get(`${base}/all`)).data
  expect(keysOf(record)).toBe(
    'id uuid customerid transactionref paymentmode transactiondate accountnumber amount description organisation createdAt updatedAt',
  )
  expect(keysOf(record.organisation)).toBe(
    'uuid name phoneNumber environment collectionCallbackUrl parentOrganisation parent',
  )
  expect(record).toMatchObject({
    uuid,
    amount: '10000',
    paymentmode: 'PESALINK',
    transactiondate: '2025-01-24',
    description: 'Payment narration',
  })
  expect(asContracted('getBankCollection', await world.get(`${base}/single?requestId=${uuid}`)).data).toEqual(record)
})

it('reads as the banks pass it on, in lists and in callbacks', async () => {
  const passedOn = { description: 'PESALINK TRANSFER', accountnumber: '990001', customerid: '12345' }
  const world = await bench.world({
    scenario: {
      name: 'passed-on',
      description: 'Banks put words of their own in the place of the payer’s.',
      rules: [{ name: 'passed on', on: 'bank-collection', then: { after: '0s', end: 'SUCCESS', with: passedOn } }],
    },
  })
  await world.control('PATCH', `/organisations/${world.companyId}`, { collectionCallbackUrl: bench.receiver.url() })
  const { uuid } = await world.control('POST', '/collections/bank', { amount: 10, description: 'Invoice 7' })
  await world.advance('1s')
  const [record] = (await world.get(`${base}/all`)).body.data
  expect(record).toMatchObject(passedOn)
  expect(bench.receiver.at('/callback')).toEqual([record])
  expect((await world.control('GET', `/payments/${uuid}`)).request.description).toBe('Invoice 7')
})

it('shows an organisation without parent or sub-accounts as its sample does', async () => {
  const world = await bench.world()
  await world.control('POST', '/collections/bank', { amount: 10000 })
  const { organisation } = asContracted('listBankCollections', await world.get(`${base}/all`)).data[0]
  expect(organisation).toMatchObject({ parentOrganisation: null, parent: false })
})
