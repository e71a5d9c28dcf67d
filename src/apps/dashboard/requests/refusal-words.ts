/** Reads the reason of a refusal from any of the published error forms. */
import { errorParts } from '../../../client/service-client.ts'

export function refusalWords(response: unknown): string | undefined {
  const { code, message, details } = errorParts(response)
  return [code, details || message].filter(Boolean).join(': ') || undefined
}
