/** Both contracts by the rules of Redocly. */
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, it } from 'vitest'
import { assuming } from '../../support/contract.ts'
import { controlDocument } from '../../support/control-check.ts'
import { useBench } from '../../support/harness.ts'

const bench = useBench()

/** What the recommended rules say of the contract and is meant to be so. */
const meant: Record<string, string[]> = {
  // A world's address is where it runs, and that is this machine.
  'no-server-example.com': ['#/servers/0/url'],
  // Error bodies that assumptions turn on: who generates a client once finds all of them.
  'no-unused-components': ['#/components/schemas/ErrorEnvelope', '#/components/schemas/ErrorFlat'],
}

type Rules = Parameters<typeof createConfig>[0]
interface Problem {
  ruleId: string
  message: string
  location: { pointer?: string }[]
}

/** Everything that Redocly says, as `rule pointer: message`, but for what is meant. */
async function problemsOf(source: string, rules: Rules = { extends: ['recommended'] }): Promise<string[]> {
  const config = await createConfig(rules)
  const problems: Problem[] = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  return problems.flatMap(({ ruleId, message, location }) => {
    const pointer = location[0]?.pointer ?? ''
    return meant[ruleId]?.includes(pointer) ? [] : [`${ruleId} ${pointer}: ${message}`]
  })
}

it.each([
  ['by default', {}],
  [
    'with everything on',
    { 'unlisted-operations': 'on', 'refresh-token': 'on', 'callback-signature': 'standard-webhooks' },
  ],
])("keeps Redocly's recommended rules %s", async (_name, assumptions) => {
  const world = await bench.world(assuming(assumptions))
  expect(await problemsOf((await world.raw('GET', '/openapi.json')).text)).toEqual([])
})

it('takes the contract of the control plane', async () => {
  const rules: Rules = {
    extends: ['minimal'],
    rules: { 'no-ambiguous-paths': 'off', 'no-server-example.com': 'off' },
  }
  expect(await problemsOf(JSON.stringify(controlDocument()), rules)).toEqual([])
})
