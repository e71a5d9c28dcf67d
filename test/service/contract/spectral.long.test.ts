/** Both contracts by the rules of Spectral for OpenAPI: they have no error. */
import spectralCore from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { expect, it } from 'vitest'
import { assuming } from '../../support/contract.ts'
import { useBench } from '../../support/harness.ts'

const { Ruleset, Spectral } = spectralCore
const bench = useBench()

interface Found {
  severity: number
  code: string | number
  path: (string | number)[]
  message: string
}

/** What Spectral calls an error, as `rule path: message`. */
async function errorsOf(document: object): Promise<string[]> {
  const spectral = new Spectral()
  spectral.setRuleset(new Ruleset({ extends: [oas as never] }))
  const found: Found[] = await spectral.run(document as Record<string, unknown>)
  return found
    .filter(({ severity }) => severity === 0)
    .map(({ code, path, message }) => `${code} ${path.join('/')}: ${message}`)
}

it.each([
  ['by default', {}],
  [
    'with everything on',
    { 'unlisted-operations': 'on', 'refresh-token': 'on', 'callback-signature': 'standard-webhooks' },
  ],
  ['that converts and knows no other fields', { 'number-forms': 'convert', 'unknown-fields': 'refuse' }],
])('has no error %s', async (_name, assumptions) => {
  const world = await bench.world(assuming(assumptions))
  expect(await errorsOf((await world.raw('GET', '/openapi.json')).body)).toEqual([])
})

it('has no error in the contract of the control plane', async () => {
  const world = await bench.world()
  expect(await errorsOf((await world.raw('GET', '/_mfano/openapi.json')).body)).toEqual([])
})
