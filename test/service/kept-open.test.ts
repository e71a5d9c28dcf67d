import { expect, it } from 'vitest'
import { useBench } from '../support/harness.ts'

const bench = useBench()

it('keeps a connection long after an answer, and says how long, so that no client finds it closed', async () => {
  const world = await bench.world()
  const { headers } = await world.raw('GET', '/_mfano/health')
  expect(headers.get('connection')).toBe('keep-alive')
  expect(headers.get('keep-alive')).toBe('timeout=75')
})
