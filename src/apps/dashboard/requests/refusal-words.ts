/** Why a request was refused, read from its answer, in whichever of the published forms that is. */
import { errorParts } from '../../../client/service-client.ts'

/** `REQ_INVALID_FIELD: phoneNumber must be …`; undefined where the answer gives no reason. */
export function refusalOf(response: unknown): string | undefined {
  const { code, message, details } = errorParts(response)
  return [code, details || message].filter(Boolean).join(': ') || undefined
}
