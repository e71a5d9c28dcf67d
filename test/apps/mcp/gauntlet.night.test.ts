/** An agent on the user's machine has an app judged. */
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { expect, it, onTestFinished } from 'vitest'
import { entry } from '../../support/program-entry.ts'

const root = new URL('../../../', import.meta.url)

it('judges the app of a merchant file', async () => {
  const client = new Client({ name: 'an agent', version: '1.0.0' })
  const args = [entry, 'mcp']
  await client.connect(new StdioClientTransport({ command: process.execPath, args }))
  onTestFinished(() => client.close())
  const file = new URL('test/merchants/plain/merchant.yaml', root).pathname
  const { content } = await client.callTool({ name: 'gauntlet', arguments: { file, scenarios: ['default'] } })
  const [{ text = '' } = {}] = content as { text?: string }[]
  expect(JSON.parse(text)).toMatchObject({ findings: [], scenarios: [{ scenario: 'default', verdict: 'clean' }] })
})
