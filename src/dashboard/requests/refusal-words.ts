/** Why a request was refused, read from its answer, in whichever of the published forms that is. */

type Loose = Readonly<Record<string, unknown>>

/** `REQ_INVALID_FIELD: phoneNumber must be …`; undefined where the answer gives no reason. */
export function refusalOf(response: unknown): string | undefined {
  if (!isObject(response)) return undefined
  const { code, errorCode, message, details, errors } = isObject(response['error']) ? response['error'] : response
  const fields = isObject(errors) ? Object.values(errors).flat() : []
  const words = [code ?? errorCode, fields.length > 0 ? fields.join('; ') : (details ?? message)]
  return words.filter((word) => word !== undefined && word !== null && word !== '').join(': ') || undefined
}

function isObject(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null
}
