/** A calibration as a step of somebody's own suite. */
import { expect, it } from 'vitest'
import { calibrate } from '../../../src/apps/testing/index.ts'
import { assuming } from '../../support/contract.ts'
import { useBench } from '../../support/harness.ts'

const bench = useBench()

it('answers what holds at any address that is a sandbox', async () => {
  const { baseUrl, credentials } = await bench.world(assuming({ 'error-body': 'flat', 'checkout-status-code': '200' }))
  const assumptions = ['error-body', 'checkout-status-code']
  const asking = { baseUrl, credentials, assumptions, paceMs: 0 }
  const free = await calibrate(asking)
  expect(free.answers.map(({ verdict, alternative, why }) => [verdict, alternative ?? why])).toEqual([
    ['holds', 'flat'],
    ['not-asked', '--allow session'],
  ])
  const more = await calibrate({ ...asking, allow: ['session'] })
  expect(more.answers.map(({ alternative }) => alternative)).toEqual(['flat', '200'])
})

it('asks no address that may be something else', async () => {
  const credentials = { apiKey: 'key', apiSecret: 'secret', companyId: 'none' }
  await expect(calibrate({ baseUrl: 'https://api.provider.example/live', credentials })).rejects.toThrow(
    /baseUrl: .*isSandbox: true says that it is/,
  )
})
