import { readdirSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type ProbeWay, probes } from '../../../src/service/probes.ts'
import { alarms } from '../../support/alarms.ts'
import { useBench } from '../../support/harness.ts'
import { tellsAll } from './each.ts'

const time = alarms()
const bench = useBench({ time })

it('has a test file for each file of probes', () => {
  const named = (folder: string, end: string) =>
    readdirSync(new URL(folder, import.meta.url)).flatMap((file) =>
      file.endsWith(end) ? file.slice(0, -end.length) : [],
    )
  const files = named('../../../src/service/assumed/probes', '-probes.ts').filter(
    (name) => !/^(?:all|some)$/.test(name),
  )
  expect(files.filter((name) => !named('.', '.long.test.ts').includes(name))).toEqual([])
  expect(files.length).toBeGreaterThan(8)
})

it('fails for a probe that says the same whatever is answered', async () => {
  const { ways } = probes['unsupported-method'] as { ways: readonly [ProbeWay] }
  await tellsAll(bench, time, 'unsupported-method', ways[0])
  for (const constant of ['405', '404', undefined])
    await expect(tellsAll(bench, time, 'unsupported-method', { ...ways[0], tells: () => constant })).rejects.toThrow(
      /to match object/,
    )
})
