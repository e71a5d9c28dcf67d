/** The Model Context Protocol over HTTP, as mfano serves it. */
import { createMcpHandler } from '@modelcontextprotocol/server'
import { type Backend, mcpServer } from './mcp-server.ts'

export function answerAgent(request: Request, backend: Backend): Promise<Response> {
  return createMcpHandler(() => mcpServer(backend)).fetch(request)
}
