/** Bruno's own parser of its files, which says nothing of its types. */
import { createRequire } from 'node:module'

/** As much of a request as tests look at. */
interface BrunoRequest {
  meta: { name: string; seq: string }
  http: { method: string; url: string; body: string }
  body?: { json?: string }
  assertions?: { name: string; value: string }[]
}

export const { bruToJsonV2 } = createRequire(import.meta.url)('@usebruno/lang') as {
  bruToJsonV2: (text: string) => BrunoRequest
}
