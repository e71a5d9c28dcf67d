import { expect, it } from 'vitest'
import type { Contract, ContractOperation } from '../../../src/http/contract.ts'
import { assuming } from '../../support/contract.ts'
import { type TestWorld, useBench } from '../../support/harness.ts'

const bench = useBench()

it('answers every example request of its contract with success, and tells the inbox that the example names', async () => {
  const world = await bench.world(assuming({ 'unlisted-operations': 'on', 'refresh-token': 'on' }))
  const contract = (await world.raw('GET', '/openapi.json')).body as Contract
  expect(contract.servers[0]?.url).toBe(world.baseUrl)
  let called = 0
  for (const [path, { post }] of Object.entries(contract.paths)) {
    const example = post?.requestBody?.content['application/json'].example
    if (!post || example === undefined) continue
    const answer = await world.post(path, await filledIn(world, post, example as object))
    expect([post.operationId, String(answer.status)]).toEqual([post.operationId, Object.keys(post.responses)[0]])
    if (post.callbacks && post.operationId !== 'createCheckoutSession') called++
  }
  await world.advance('1m')
  const { messages } = await world.control('GET', '/inbox/docs')
  expect(called).toBeGreaterThan(4)
  expect(messages).toHaveLength(called)
})

/** What an example cannot know: tokens and sub-accounts that are made here. */
async function filledIn(world: TestWorld, { operationId }: ContractOperation, example: object): Promise<object> {
  if (operationId === 'refreshToken') {
    const tokens = await world.raw('POST', '/api/v1/get-token', { body: world.credentials })
    return { refreshToken: tokens.body.data.refresh_token }
  }
  if (operationId !== 'createAllocation' && operationId !== 'createDeallocation') return example
  const { body } = await world.get('/api/sandbox/v1/multiaccount/organisation/all')
  const stranger = new RegExp(`(?!${world.companyId})[0-9a-f]{8}-[0-9a-f-]{27}`)
  return JSON.parse(JSON.stringify(example).replace(stranger, body.data[0].uuid))
}
