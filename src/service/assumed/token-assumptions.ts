/** Assumptions about tokens. */
import type { Assumption } from '../../core/model/assumption.ts'

export const tokenAssumptions = {
  'token-life': {
    question: 'How many seconds does an access token live?',
    alternatives: ['300', '60', '3600'],
    note: 'The specification says 300 by default, and 1800 for a refresh token. A refresh token lives six times as long as its access token, whatever the choice. A token keeps the life with which it was issued.',
    area: 'token',
    touches: { operations: 'all' },
  },
} as const satisfies Record<string, Assumption>
