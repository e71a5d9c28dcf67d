import { type AnyControl, type Control, controlOf } from '../../../client/control.ts'
import { MfanoError } from '../../../client/errors.ts'
import { hearPageZone } from './page-zone.ts'

export const worldUrl = location.href.replace(/\/_mfano.*$/s, '')
/** The base URL of the server, which is that of the world `default`. */
const serverUrl = worldUrl.replace(/\/w\/[^/]+$/, '')
export const worldId = /\/w\/([^/]+)$/.exec(worldUrl)?.[1] ?? 'default'

const loggedIn: typeof fetch = async (request, init) => {
  const response = await fetch(request, init)
  if (response.status === 401) location.assign(`${worldUrl}/_mfano/login`)
  return response
}

const here = controlOf(worldUrl, { fetch: loggedIn, heard: hearPageZone })
export const world: Control = here
export const anyOfWorld: AnyControl = here
const there = controlOf(serverUrl, { fetch: loggedIn })
export const server: Control = there
export const anyOfServer: AnyControl = there

export function urlOf(id: string): string {
  return id === 'default' ? serverUrl : `${serverUrl}/w/${id}`
}

/** Undefined when the server did not refuse, for example when it does not answer. */
export function refusalIn(error: unknown): MfanoError | undefined {
  return error instanceof MfanoError && error.status !== undefined ? error : undefined
}
