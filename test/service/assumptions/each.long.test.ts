import { expect, it } from 'vitest'
import { type ProbeWay, probes } from '../../../src/service/probes.ts'
import { alarms } from '../../support/alarms.ts'
import { useBench } from '../../support/harness.ts'
import { tellsAll, testEach } from './each.ts'

const time = alarms()
const bench = useBench({ time })

testEach(bench, time)

it('fails for a probe that says the same whatever is answered', async () => {
  const { ways } = probes['unsupported-method'] as { ways: readonly [ProbeWay] }
  await tellsAll(bench, time, 'unsupported-method', ways[0])
  for (const constant of ['405', '404', undefined])
    await expect(tellsAll(bench, time, 'unsupported-method', { ...ways[0], tells: () => constant })).rejects.toThrow(
      /to match object/,
    )
})
