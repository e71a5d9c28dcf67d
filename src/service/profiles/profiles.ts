/** Every business with an invented past. */
import type { Profile } from '../parts.ts'
import { businesses } from './businesses.ts'
import { pastOf } from './past.ts'

export const profiles: readonly Profile[] = businesses.map((business) => ({
  name: business.name,
  description: business.description,
  past: (span) => pastOf(business, span),
}))
