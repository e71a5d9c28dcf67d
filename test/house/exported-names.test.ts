import { expect, it } from 'vitest'
import { files, textOf } from './source.ts'

const EXPORT = /^export (?:declare |async |abstract )*(?:function\*?|const|let|class|interface|type|enum) ([\w$]+)/gm

/**
 * The service and the control plane as a client sees them: the same things on the other side of the wire, so the same
 * names. Each runner's kit is an entry of its own, whose names are the same in all.
 */
const OTHER_SIDE = /^client\/(?:control-answers|service\.gen)\.ts$|^apps\/testing\/(?:jest|node|playwright|vitest)\.ts$/

it('exports a name from one file only, so that a name means one thing', () => {
  const places = new Map<string, string[]>()
  for (const file of files.filter((one) => !OTHER_SIDE.test(one)))
    for (const [, name = ''] of textOf(file).matchAll(EXPORT)) places.set(name, [...(places.get(name) ?? []), file])
  expect(places.size).toBeGreaterThan(2_000)
  expect([...places].filter(([, found]) => found.length > 1)).toEqual([])
})
