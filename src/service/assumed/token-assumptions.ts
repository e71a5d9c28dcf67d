/** Assumptions about tokens. */
import type { Assumption } from '../../core/model/assumption.ts'
import { tokens } from './touched.ts'

export const tokenAssumptions = {
  'token-algorithm': {
    question: 'By which algorithm are tokens signed?',
    alternatives: ['HS256', 'HS512'],
    note: 'A JWT is published, and its sample starts eyJ; its header is not shown. Nobody but the service has to check it.',
    area: 'token',
    touches: { operations: tokens },
  },
  'token-claims': {
    question: 'What is in a token?',
    alternatives: ['few', 'many'],
    note: 'No claim is shown. few: sub, typ, number, iat, exp and us, the microseconds of the second in which it was issued. many: also iss, aud, jti, scope and preferred_username, as identity servers have them.',
    area: 'token',
    touches: { operations: tokens },
  },
  'user-login': {
    question: 'Which users of sub-accounts get a token for their name and password?',
    alternatives: ['none', 'admins', 'all'],
    note: "The password of a user is its initial credential (specified), and no call is shown that takes one. none: a sub-account is given a key pair, by the operator. admins, all: get-token takes a username as apiKey and the password as apiSecret, of users with the role ADMIN or of all, and answers a token of the user's organisation.",
    area: 'token, sub-accounts',
    touches: { operations: ['getToken'] },
  },
  'refresh-as-bearer': {
    question: 'Is the refresh token taken as a bearer token?',
    alternatives: ['refuse', 'accept'],
    note: 'refuse: 401 AUTH_INVALID_TOKEN. accept: it works as an access token that lives 1800 seconds.',
    area: 'all records',
    touches: { operations: 'all' },
  },
} as const satisfies Record<string, Assumption>
