/** Reads the bearer token of a request. */
import { commonReasons, refused } from '../../core/model/refusal-reasons.ts'
import type { Exchange } from '../exchange.ts'
import type { Credential } from '../http-service.ts'

export function authenticate({ c, service, world }: Exchange): Credential | Promise<Credential> {
  const header = c.header('authorization')
  if (header === undefined || header.trim() === '') {
    throw refused(
      commonReasons.tokenMissing,
      'Authorization: is required, expected "Bearer <ACCESS_TOKEN>", got nothing',
      'Authorization is required',
    )
  }
  // The usual spelling is read without splitting.
  const usual = header.startsWith('Bearer ') ? header.slice('Bearer '.length) : ''
  if (usual !== '' && !/\s/.test(usual)) return service.readToken(world, usual)
  const [scheme, token, ...rest] = header.trim().split(/\s+/)
  if (scheme?.toLowerCase() !== 'bearer' || !token || rest.length > 0) {
    throw refused(
      commonReasons.tokenMalformed,
      'Authorization: must be "Bearer <ACCESS_TOKEN>"',
      'Authorization must be "Bearer <ACCESS_TOKEN>"',
    )
  }
  return service.readToken(world, token)
}
