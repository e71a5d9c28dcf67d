/** The Model Context Protocol over HTTP, as mfano itself serves it. */
import { createMcpHandler } from '@modelcontextprotocol/server'
import { type Backend, mcpServer } from './mcp-server.ts'

/** Answers a request of an agent; nothing is remembered between two of them. */
export function answerAgent(request: Request, backend: Backend): Promise<Response> {
  return createMcpHandler(() => mcpServer(backend)).fetch(request)
}
