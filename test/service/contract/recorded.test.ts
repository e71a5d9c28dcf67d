import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { EXAMPLE_BASE_URL, examplesAt } from '../../../src/service/examples/examples.ts'
import { paymentsService } from '../../../src/service/service.ts'
import { assuming } from '../../support/contract.ts'
import { useBench } from '../../support/harness.ts'
import { everyOperation, recordExamples } from './record-examples.ts'

const bench = useBench()
const file = join(import.meta.dirname, '../../../src/service/examples/recorded.gen.ts')

it('shows in its contract what a world answers today', async () => {
  const world = await bench.world({ id: 'examples', seed: 1, ...assuming(everyOperation) })
  const recorded = await recordExamples(world, EXAMPLE_BASE_URL)
  const literal = recorded.replaceAll(/[\\`]|\$\{/g, '\\$&')
  const made = `/** What a frozen world answered; \`test/service/contract/recorded.test.ts\` makes it, and says how. */
export const recordedExamples = \`${literal}\`
`
  if (process.env['UPDATE_SCHEMA'] === '1') writeFileSync(file, made)
  expect(made, 'after a change of an answer: UPDATE_SCHEMA=1 npm test -- test/service/contract/recorded').toBe(
    readFileSync(file, 'utf8'),
  )
})

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
  const { post } = body.paths['/api/sandbox/v1/send-money']
  const callback = post.callbacks.outcome['{$request.body#/callbackUrl}'].post.requestBody
  expect(post.requestBody.content['application/json'].example.callbackUrl).toBe(`${world.baseUrl}/_mfano/inbox/docs`)
  expect(callback.content['application/json'].example).toMatchObject({ status: 'SUCCESS' })
  expect(text).not.toContain(EXAMPLE_BASE_URL)
  expect(text).toMatch(/"amount":\d+\.0[,}]/)
})
