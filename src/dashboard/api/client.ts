import { type ClientResponse, hc } from 'hono/client'
import type { ControlApi } from '../../server/control/app.ts'

/** The world that this page belongs to: the address of the page without what stands behind `/_mfano`. */
export const worldUrl = location.href.replace(/\/_mfano.*$/s, '')
/** The server's own base URL: the world `default`. */
export const serverUrl = worldUrl.replace(/\/w\/[^/]+$/, '')
export const worldId = /\/w\/([^/]+)$/.exec(worldUrl)?.[1] ?? 'default'

/** What the server refused, in its own words. */
export class ServerError extends Error {
  readonly code: string
  readonly details: string
  readonly status: number
  constructor(status: number, error: { code?: string; message?: string; details?: string } = {}) {
    super(error.message ?? `mfano answered ${status}`)
    this.name = 'ServerError'
    this.status = status
    this.code = error.code ?? 'UNKNOWN'
    this.details = error.details ?? ''
  }
}

/** Turns a refusal into an error that says what the server said; an ended login leads to the login page. */
const asking: typeof fetch = async (request, init) => {
  const response = await fetch(request, init)
  if (response.ok) return response
  const text = await response.text()
  if (response.status === 401) location.assign(`${worldUrl}/_mfano/login`)
  throw new ServerError(response.status, errorIn(text))
}

function errorIn(text: string): { code?: string; message?: string; details?: string } {
  try {
    return JSON.parse(text).error
  } catch {
    return { message: 'The answer was no JSON', details: text.slice(0, 200) }
  }
}

/** The control plane of this page's world, typed from its routes. */
export const world = hc<ControlApi>(worldUrl, { fetch: asking })._mfano
/** The control plane of the server, for worlds themselves. */
export const server = hc<ControlApi>(serverUrl, { fetch: asking })._mfano

/** The JSON of an answer. */
export async function body<T>(answer: Promise<ClientResponse<T, number, 'json'>>): Promise<T> {
  return (await (await answer).json()) as T
}

/** Sends a text, such as a scenario, to a path of the control plane. */
export async function sendText<T>(method: 'POST' | 'PUT', path: string, text: string): Promise<T> {
  const headers = { 'content-type': 'application/yaml' }
  return (await asking(`${worldUrl}/_mfano${path}`, { method, headers, body: text })).json()
}
