import { expect, it } from 'vitest'
import { probes } from '../../../src/service/probes.ts'
import { alarms } from '../../support/alarms.ts'
import { useBench } from '../../support/harness.ts'
import { tellsAll, testEach } from './each.ts'

const time = alarms()
const bench = useBench({ time })

testEach(bench, time)

it('fails for a probe that says the same whatever is answered', async () => {
  const way = probes['unsupported-method'] as Parameters<typeof tellsAll>[3]
  await tellsAll(bench, time, 'unsupported-method', way)
  for (const constant of ['405', '404', undefined])
    await expect(tellsAll(bench, time, 'unsupported-method', { ...way, tells: () => constant })).rejects.toThrow(
      /to match object/,
    )
})
