/** The control plane as this page asks it. */
import { type Control, controlOf } from '../../../client/control.ts'
import { MfanoError } from '../../../client/errors.ts'
import { hearZone } from './page-zone.ts'

/** The world that this page belongs to: the address of the page without what stands behind `/_mfano`. */
export const worldUrl = location.href.replace(/\/_mfano.*$/s, '')
/** The server's own base URL: the world `default`. */
const serverUrl = worldUrl.replace(/\/w\/[^/]+$/, '')
export const worldId = /\/w\/([^/]+)$/.exec(worldUrl)?.[1] ?? 'default'

/** An ended login leads to the login page. */
const loggedIn: typeof fetch = async (request, init) => {
  const response = await fetch(request, init)
  if (response.status === 401) location.assign(`${worldUrl}/_mfano/login`)
  return response
}

/** The control plane of this page's world. */
export const world: Control = controlOf(worldUrl, {
  fetch: async (request, init) => hearZone(await loggedIn(request, init)),
})
/** The control plane of the server, for worlds themselves. */
export const server: Control = controlOf(serverUrl, { fetch: loggedIn })

/** The base URL of a world of the server. */
export function urlOf(id: string): string {
  return id === 'default' ? serverUrl : `${serverUrl}/w/${id}`
}

/** The control plane of another world of the server, by its base URL. */
export function worldAt(url: string): Control {
  return controlOf(url, { fetch: loggedIn })
}

/** What the server refused; undefined for an error that is none of its. */
export function refusalIn(error: unknown): MfanoError | undefined {
  return error instanceof MfanoError && error.status !== undefined ? error : undefined
}
