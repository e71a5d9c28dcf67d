import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { controlOf } from '../../client/control.ts'
import { MfanoError } from '../../client/errors.ts'
import { didYouMean } from '../../core/model/problems.ts'
import { operations, requestFor } from '../../server/operation-fields.ts'
import { asTool, type Tool, type ToolCall, tools } from './tools.ts'

export interface Backend {
  /** URL of a server, or of one world, which is then the only one that tools can reach. */
  baseUrl: string
  version: string
  adminToken?: string | undefined
  fetch?: typeof fetch
}

const INSTRUCTIONS =
  'mfano simulates a payments service: payouts, collections, checkout and callbacks, with worlds (sandboxes), a clock that is moved and scenarios that say what goes wrong. ' +
  'Make a world with a frozen clock, give its base URL and credentials to the app, settle, and explain what happened.'

export function mcpServer(backend: Backend, more: readonly Tool[] = []): McpServer {
  const server = new McpServer({ name: 'mfano', version: backend.version }, { instructions: INSTRUCTIONS })
  // The library looks tools up by the caller's word in a plain object, which also finds `constructor` and `toString`.
  Object.setPrototypeOf(Reflect.get(server, '_registeredTools'), null)
  for (const tool of [...tools, ...more]) {
    const { name, description, input, effect, openWorld = false, run } = tool
    const hints = { readOnlyHint: effect === 'reads', destructiveHint: effect === 'destroys', openWorldHint: openWorld }
    server.registerTool(
      name,
      { description, inputSchema: input, annotations: hints },
      async (given, { mcpReq: { signal } }) => answer(run(given, { ask: asking(backend, signal), signal })),
    )
  }
  return server
}

function asking({ baseUrl, version: _, ...by }: Backend, signal: AbortSignal): ToolCall['ask'] {
  return async (world, id, parameters) => {
    const declared = operations.get(id)
    if (!declared)
      throw new MfanoError({
        ...{ code: 'NO_OPERATION', message: `There is no operation "${id}".${didYouMean(id, [...operations.keys()])}` },
        hint: 'list_operations tells which there are.',
      })
    const [method, path, request] = requestFor(declared, parameters)
    const base = world === undefined ? baseUrl : `${baseUrl}/w/${encodeURIComponent(world)}`
    const control = controlOf(base, { ...by, showHint: asTool })
    const given = { ...request, signal, as: 'response' } as const
    const response: Response = await control(method, path, given)
    const type = response.headers.get('content-type') ?? ''
    if (/\bjson\b/.test(type)) return response.json()
    if (/^(?:text|application\/xml)/.test(type) && !type.includes('event-stream')) return response.text()
    // Agents fetch binary answers and endless streams themselves.
    await response.body?.cancel()
    return { method, url: response.url || `${base}/_mfano${path}`, type }
  }
}

/** A refusal is returned with its full text, so that the agent can correct its call. */
async function answer(result: Promise<unknown>) {
  try {
    return { content: [{ type: 'text' as const, text: textOf(await result) }] }
  } catch (error) {
    if (!(error instanceof MfanoError)) throw error
    return { content: [{ type: 'text' as const, text: describeError(error) }], isError: true }
  }
}

/** Names tools instead of requests, because an agent knows only tools. */
function describeError({ status, reason, details, message }: MfanoError): string {
  return status === undefined || details === '' ? message : `${reason}: ${details}`
}

function textOf(result: unknown): string {
  return typeof result === 'string' ? result : JSON.stringify(result, null, 2)
}

export function answerAgent(request: Request, backend: Backend): Promise<Response> {
  return createMcpHandler(() => mcpServer(backend)).fetch(request)
}
