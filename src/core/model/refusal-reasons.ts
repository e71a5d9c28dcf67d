/**
 * Every reason to refuse a request, with its code and its basis. Only these are raised, so the contract can list them
 * all.
 */
import type { Ground } from './basis.ts'
import { Refusal, type RefusalCode, type RefusalOptions, refusalCatalogue } from './refusal.ts'

export interface RefusalReason {
  stage: Stage
  when: string
  code: RefusalCode
  status?: number
  ground: Ground
  source?: string
}

const ORDER = 'convention: the order of checks'

/** In the order of the checks: the first one that fails is answered. */
export const stages = {
  path: { about: 'the path and the method', ground: ORDER },
  token: { about: 'the token: that there is one, and that this service issued it', ground: ORDER },
  age: { about: 'the age of the token', ground: ORDER },
  headers: { about: 'headers that an operation needs', ground: ORDER },
  body: { about: 'the body: its size, its media type, that it is JSON', ground: ORDER },
  fields: {
    about: 'every field and parameter, all in one answer',
    ground: 'convention: fields that are missing beside wrong ones',
  },
  caller: { about: 'whether the caller may', ground: ORDER },
  resource: { about: 'the named resource: that it exists, and who owns it', ground: ORDER },
  reference: { about: 'whether the reference was used before', ground: 'duplicate-reference' },
  rules: { about: 'rules of the scenario, and its rails', ground: ORDER },
  funds: { about: 'whether the wallet holds it', ground: ORDER },
  failure: { about: 'whether the work itself can be done', ground: 'own' },
} as const satisfies Record<string, { about: string; ground: Ground }>

export type Stage = keyof typeof stages

export const commonReasons = {
  unknownPath: {
    stage: 'path',
    when: 'no operation has the path',
    code: 'RESOURCE_NOT_FOUND',
    ground: 'published',
    source: 'errors',
  },
  otherMethod: {
    stage: 'path',
    when: 'the path has other methods',
    code: 'REQ_BAD_REQUEST',
    status: 405,
    ground: 'unsupported-method',
  },
  tokenMissing: {
    stage: 'token',
    when: 'no Authorization header came',
    code: 'AUTH_MISSING_TOKEN',
    ground: 'published',
    source: 'errors',
  },
  tokenMalformed: {
    stage: 'token',
    when: 'Authorization is not Bearer and a token',
    code: 'AUTH_INVALID_TOKEN',
    ground: 'published',
    source: 'errors',
  },
  headerMissing: {
    stage: 'headers',
    when: 'a header that the operation needs is missing',
    code: 'REQ_MISSING_FIELD',
    ground: 'published',
    source: 'errors',
  },
  bodyTooLarge: {
    stage: 'body',
    when: 'the body is larger than is read',
    code: 'REQ_BAD_REQUEST',
    status: 413,
    ground: 'convention: a body that is too large',
  },
  bodyBrokenOff: {
    stage: 'body',
    when: 'the connection broke off before all of the body had come',
    code: 'REQ_BAD_REQUEST',
    ground: 'published',
    source: 'errors',
  },
  mediaType: {
    stage: 'body',
    when: 'the body does not say that it is JSON, or it is compressed',
    code: 'REQ_BAD_REQUEST',
    status: 415,
    ground: 'unsupported-media-type',
  },
  bodyNotJson: {
    stage: 'body',
    when: 'the body is not JSON',
    code: 'REQ_BAD_REQUEST',
    ground: 'published',
    source: 'errors',
  },
  bodyTooDeep: {
    stage: 'body',
    when: 'the body is nested deeper than anybody means',
    code: 'REQ_BAD_REQUEST',
    ground: 'convention: limits that no source shows',
  },
  fieldMissing: {
    stage: 'fields',
    when: 'fields are missing, and nothing else is wrong',
    code: 'REQ_MISSING_FIELD',
    ground: 'published',
    source: 'errors',
  },
  fieldInvalid: {
    stage: 'fields',
    when: 'fields have a wrong type, format or value',
    code: 'REQ_INVALID_FIELD',
    ground: 'published',
    source: 'errors',
  },
  referenceUsed: {
    stage: 'reference',
    when: 'the reference was used before',
    code: 'REQ_INVALID_FIELD',
    ground: 'duplicate-reference',
  },
  ruled: {
    stage: 'rules',
    when: 'a rule of the scenario refuses, with the code that it names',
    code: 'REQ_BAD_REQUEST',
    ground: 'own',
  },
  railClosed: {
    stage: 'rules',
    when: 'the rail is under maintenance, or has nothing left to pay out',
    code: 'SERVICE_UNAVAILABLE',
    ground: 'published',
    source: 'errors',
  },
  limitExceeded: {
    stage: 'rules',
    when: 'the amount is above a limit of the rail',
    code: 'PAYMENT_LIMIT_EXCEEDED',
    ground: 'published',
    source: 'errors',
  },
  tokensRevoked: {
    stage: 'rules',
    when: 'a fault of the scenario has revoked the token',
    code: 'AUTH_INVALID_TOKEN',
    ground: 'published',
    source: 'errors',
  },
  rateLimited: {
    stage: 'rules',
    when: 'a rate limit of the scenario is used up',
    code: 'RATE_LIMITED',
    ground: 'published',
    source: 'stk/get_single_tz, withdrawn',
  },
  fundsShort: {
    stage: 'funds',
    when: 'the wallet holds less than the amount and its fee',
    code: 'INSUFFICIENT_FUNDS',
    ground: 'published',
    source: 'errors',
  },
  booksFull: {
    stage: 'funds',
    when: 'more money would go through the world than can be counted exactly',
    code: 'PAYMENT_LIMIT_EXCEEDED',
    ground: 'own',
  },
  usernameTaken: {
    stage: 'resource',
    when: 'a user of that name is there already',
    code: 'REQ_INVALID_FIELD',
    ground: 'convention: a user name that is taken',
  },
  subscriptionMissing: {
    stage: 'resource',
    when: 'no subscription exists to start or to suspend',
    code: 'RESOURCE_NOT_FOUND',
    ground: 'convention: an activation where there was no subscription',
  },
  nothingThere: {
    stage: 'resource',
    when: 'an operator of mfano names what is not there',
    code: 'RESOURCE_NOT_FOUND',
    ground: 'own',
  },
  brokenDown: {
    stage: 'failure',
    when: 'something unexpected went wrong',
    code: 'SERVER_ERROR',
    ground: 'published',
    source: 'errors',
  },
  notExecuted: {
    stage: 'failure',
    when: 'a fault of the scenario turns the request away before it is carried out',
    code: 'SERVICE_UNAVAILABLE',
    ground: 'published',
    source: 'errors',
  },
  worldClosed: {
    stage: 'failure',
    when: 'the world was reset, replaced or removed meanwhile, or its storage fails',
    code: 'SERVICE_UNAVAILABLE',
    ground: 'own',
  },
} as const satisfies Record<string, RefusalReason>

export function refusalAnswer({ code, status = refusalCatalogue[code].status }: RefusalReason) {
  return { status, code }
}

export function refused(reason: RefusalReason, details: string, options: RefusalOptions = {}): Refusal {
  const { code, status } = reason
  return Refusal.named(options.code ?? code, details, { ...(status !== undefined && { status }), ...options })
}

export function worldClosed(): Refusal {
  return refused(
    commonReasons.worldClosed,
    'this world was just reset, replaced or removed, or mfano is stopping; ask again',
  )
}
