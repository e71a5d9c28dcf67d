/** Both contracts by the rules of others: the recommended ones of Redocly, and what Spectral for OpenAPI calls an error. */
import { createConfig, lintFromString } from '@redocly/openapi-core'
import spectralCore from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { expect, it } from 'vitest'
import { assuming } from '../../support/contract.ts'
import { useBench } from '../../support/harness.ts'

const { Ruleset, Spectral } = spectralCore
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
async function problemsOf(source: string, rules: Rules): Promise<string[]> {
  const config = await createConfig(rules)
  const problems: Problem[] = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  return problems.flatMap(({ ruleId, message, location }) => {
    const pointer = location[0]?.pointer ?? ''
    return meant[ruleId]?.includes(pointer) ? [] : [`${ruleId} ${pointer}: ${message}`]
  })
}

interface Found {
  severity: number
  code: string | number
  path: (string | number)[]
  message: string
}

/** What Spectral calls an error, as `rule path: message`. */
async function errorsOf(source: string): Promise<string[]> {
  const spectral = new Spectral()
  spectral.setRuleset(new Ruleset({ extends: [oas as never] }))
  const found: Found[] = await spectral.run(JSON.parse(source))
  return found
    .filter(({ severity }) => severity === 0)
    .map(({ code, path, message }) => `${code} ${path.join('/')}: ${message}`)
}

const ofService: Rules = { extends: ['recommended'] }
const ofControl: Rules = {
  extends: ['minimal'],
  rules: { 'no-ambiguous-paths': 'off', 'no-server-example.com': 'off' },
}

it.each([
  ['of the service', '/openapi.json', ofService, {}],
  [
    'of the service with everything on',
    '/openapi.json',
    ofService,
    { 'unlisted-operations': 'on', 'refresh-token': 'on', 'callback-signature': 'standard-webhooks' },
  ],
  [
    'of a service that converts and knows no other fields',
    '/openapi.json',
    ofService,
    { 'number-forms': 'convert', 'unknown-fields': 'refuse' },
  ],
  ['of the control plane', '/_mfano/openapi.json', ofControl, {}],
])('take the contract %s', async (_name, path, rules, assumptions) => {
  const { text } = await (await bench.world(assuming(assumptions))).raw('GET', path)
  expect(await problemsOf(text, rules)).toEqual([])
  expect(await errorsOf(text)).toEqual([])
})
