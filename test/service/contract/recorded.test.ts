import { expect, it } from 'vitest'
import { EXAMPLE_BASE_URL, examplesAt } from '../../../src/service/examples/examples.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { useBench } from '../../support/harness.ts'

const bench = useBench()

it('has an answer for every operation, and a callback for each that leads to one', () => {
  const { operations, webhooks } = examplesAt('http://localhost:8080/w/one')
  const withCallback = paymentsService.operations.filter(({ callback }) => callback).map(({ id }) => id)
  expect(Object.keys(operations).sort()).toEqual(paymentsService.operations.map(({ id }) => id).sort())
  for (const id of withCallback) expect([id, operations[id]?.callback]).toEqual([id, expect.anything()])
  expect(Object.keys(webhooks)).toEqual(paymentsService.webhooks.map(({ name }) => name))
})

it('keeps the form of numbers, and names the base URL of the world that is asked', async () => {
  const world = await bench.world()
  const { text, body } = await world.raw('GET', '/openapi.json')
  expect(body.servers[0].url).toBe(world.baseUrl)
  const { post } = body.paths['/api/sandbox/v1/send-money']
  const callback = post.callbacks.outcome['{$request.body#/callbackUrl}'].post.requestBody
  expect(post.requestBody.content['application/json'].example.callbackUrl).toBe(`${world.baseUrl}/_mfano/inbox/docs`)
  expect(callback.content['application/json'].example).toMatchObject({ status: 'SUCCESS' })
  expect(text).not.toContain(EXAMPLE_BASE_URL)
  expect(text).toMatch(/"amount":\d+\.0[,}]/)
})
