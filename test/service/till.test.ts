import { expect, it } from 'vitest'
import { bodies } from '../support/bodies.ts'
import { asContracted } from '../support/contract.ts'
import { useBench } from '../support/harness.ts'

const bench = useBench()
const base = '/api/sandbox/v1/till'
const request = () => bodies.till(bench.receiver.url())

it('lists with or without companyId, which is checked when sent', async () => {
  const world = await bench.world()
  await world.post(base, request())
  expect(asContracted('listTillPayments', await world.get(`${base}/all`)).data).toHaveLength(1)
  expect(
    asContracted('listTillPayments', await world.get(`${base}/all?companyId=${world.companyId}`)).data,
  ).toHaveLength(1)
  const nobody = '00000000-0000-4000-8000-00000000dead'
  expect((await world.get(`${base}/all?companyId=${nobody}`)).status).toBe(404)
  expect((await world.get(`${base}/all?companyId=nobody`)).status).toBe(400)
})

it('needs requestId and companyId where the specification says so', async () => {
  const world = await bench.world()
  const answer = await world.get(`${base}/status`)
  expect(answer.status).toBe(400)
  expect(answer.body.error).toMatchObject({
    code: 'REQ_MISSING_FIELD',
    details:
      'requestId: is required, expected a string, got nothing; companyId: is required, expected a string, got nothing',
  })
})

it('refuses texts above their published lengths', async () => {
  const long = { ...request(), accountNumber: '12345678901234', remarks: 'x'.repeat(101) }
  const strict = await (await bench.world()).post(base, long)
  expect(strict.body.error.details).toBe(
    'accountNumber: must be at most 13 characters, got 14 characters; remarks: must be at most 100 characters, got 101 characters',
  )
})
