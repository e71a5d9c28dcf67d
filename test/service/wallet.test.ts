import { expect, it } from 'vitest'
import { asContracted, assuming } from '../support/contract.ts'
import { useBench } from '../support/harness.ts'

const bench = useBench()

it('tells how to fund a wallet where the unlisted operations are on', async () => {
  const path = '/api/sandbox/v1/org/wallet-details'
  expect((await (await bench.world()).post(path, undefined)).status).toBe(404)

  const world = await bench.world(assuming({ 'unlisted-operations': 'on' }))
  const answer = await world.post(path, undefined)
  asContracted('getWalletDetails', answer)
  expect(answer.text).toBe(
    '{"status":200,"message":"SUCCESS","data":{"pesalinkDetails":{"accountNumber":"990001000001","accountName":"Provider Ltd","beneficiaryBank":"Example Bank","remarks":"1000001"},"bankDetails":{"beneficiaryName":"Provider Ltd","beneficiaryBank":"Example Bank","beneficiaryBranch":"EXAMPLE BRANCH","swiftCode":"EXMPKENA","beneficiaryAccount":"990001000001","remarks":"1000001"},"paybillDetails":{"paybillNumber":"9990001","accountNumber":"1000001"}}}',
  )
})
