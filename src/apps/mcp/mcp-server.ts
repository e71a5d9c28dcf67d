/** mfano for agents: its tools by the Model Context Protocol. */
import { McpServer } from '@modelcontextprotocol/server'
import { controlOf } from '../../client/control.ts'
import { MfanoError } from '../../client/errors.ts'
import { type Tool, tools } from './tools.ts'

/** The mfano that agents work with. */
export interface Backend {
  /** Of the server, or of one world, which is then the only one. */
  baseUrl: string
  version: string
  adminToken?: string | undefined
  fetch?: typeof fetch
}

const INSTRUCTIONS =
  'mfano simulates a payments service: payouts, collections, checkout and callbacks, with worlds (sandboxes), a clock that is moved and scenarios that say what goes wrong. ' +
  'Make a world with a frozen clock, give its base URL and credentials to the app, settle, and explain what happened.'

/** A server with every tool. `more`: those that only a process of the user offers. */
export function mcpServer({ baseUrl, version, adminToken, ...by }: Backend, more: readonly Tool[] = []): McpServer {
  const server = new McpServer({ name: 'mfano', version }, { instructions: INSTRUCTIONS })
  // The library looks tools up by the caller's word in a plain object, which also finds `constructor` and `toString`.
  Object.setPrototypeOf((server as unknown as { _registeredTools: object })._registeredTools, null)
  const world = (id: string | undefined) =>
    controlOf(id === undefined ? baseUrl : `${baseUrl}/w/${encodeURIComponent(id)}`, { adminToken, ...by })
  for (const { name, description, input, readOnly = false, run } of [...tools, ...more])
    server.registerTool(
      name,
      { description, inputSchema: input, annotations: { readOnlyHint: readOnly, openWorldHint: false } },
      async (given, { mcpReq }) => answer(run(given, { world, signal: mcpReq.signal })),
    )
  return server
}

/** What a tool answers; a refusal is told with all its words, for the agent to mend its call. */
async function answer(result: Promise<unknown>) {
  try {
    return { content: [{ type: 'text' as const, text: textOf(await result) }] }
  } catch (error) {
    if (!(error instanceof MfanoError)) throw error
    return { content: [{ type: 'text' as const, text: told(error) }], isError: true }
  }
}

/** What does the same as a request that a refusal speaks of. */
const TOOLS: readonly (readonly [request: RegExp, tool: string])[] = [
  [/POST (?:https?:\S+?)?\/_mfano\/worlds(?= \{)/g, 'make_world'],
  [/GET (?:https?:\S+?)?\/_mfano\/worlds(?![\w/])/g, 'list_worlds'],
  [/GET (?:https?:\S+?)?\/_mfano\/payments(?![\w/])/g, 'list_payments'],
]

/** In the words of an agent, who knows tools and no requests. */
function told({ status, reason, details, message }: MfanoError): string {
  if (status === undefined || details === '') return message
  return TOOLS.reduce((text, [request, name]) => text.replaceAll(request, name), `${reason}: ${details}`)
}

function textOf(result: unknown): string {
  return typeof result === 'string' ? result : JSON.stringify(result, null, 2)
}
